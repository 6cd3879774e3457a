"""The knowledge experiment: pretrain on biographies, finetune on questions, ask about people no question covered."""

from clearhead.experiment.results import AnsweredQuestions, Result, evaluated, result_text, run_experiment
from clearhead.experiment.stages import (
    Wish,
    prepare_experiment,
    prepare_finetuning,
    prepare_pretraining,
)

__all__ = [
    "AnsweredQuestions",
    "Result",
    "Wish",
    "evaluated",
    "prepare_experiment",
    "prepare_finetuning",
    "prepare_pretraining",
    "result_text",
    "run_experiment",
]
