"""The knowledge experiment: pretrain on biographies, finetune on questions, ask about people no question covered."""

from clearhead.experiment.results import AnsweredQuestions, Result, evaluated, result_text, run_experiment
from clearhead.experiment.stages import (
    Teller,
    Wish,
    prepare_experiment,
    prepare_finetuning,
    prepare_pretraining,
    train_stage,
)

__all__ = [
    "AnsweredQuestions",
    "Result",
    "Teller",
    "Wish",
    "evaluated",
    "prepare_experiment",
    "prepare_finetuning",
    "prepare_pretraining",
    "result_text",
    "run_experiment",
    "train_stage",
]
