"""A run folder and examples to figures."""

from clearhead.evaluation.answers import Score, answer, baseline, bootstrap_interval, labelled, score
from clearhead.evaluation.experiment import (
    Teller,
    Wish,
    prepare_experiment,
    prepare_finetuning,
    prepare_pretraining,
    train_stage,
)
from clearhead.evaluation.results import Outcome, Result, evaluated, result_text, run_experiment

__all__ = [
    "Outcome",
    "Result",
    "Score",
    "Teller",
    "Wish",
    "answer",
    "baseline",
    "bootstrap_interval",
    "evaluated",
    "labelled",
    "prepare_experiment",
    "prepare_finetuning",
    "prepare_pretraining",
    "result_text",
    "run_experiment",
    "score",
    "train_stage",
]
