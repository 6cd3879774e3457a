"""Two texts through a run, traced: their answers, and what each part of the model brings over."""

from dataclasses import dataclass

from clearhead.errors import InputError
from clearhead.lens.capture.run_look import answers_questions, attending_model, read_text
from clearhead.lens.causes.answer_chance import LONGEST, watched_answer
from clearhead.lens.causes.causal_trace import Traced, trace
from clearhead.lens.causes.interventions import Change
from clearhead.training.folders.runs import Run


@dataclass(frozen=True, slots=True)
class TracedRun:
    """The trace with the answers of both texts and the tokens of the first."""

    traced: Traced
    answers: tuple[str, str]
    tokens: tuple[str, ...]
    notes: tuple[str, ...] = ()


def traced_run(run: Run, text: str, other: str) -> TracedRun:
    """Bring in states of the other text, part by part, while the run reads the text."""
    model, ends = attending_model(run), answers_questions(run)
    reads = [read_text(run, each, room=LONGEST if ends else 1) for each in (text, other)]
    said = [watched_answer(model, run.vocabulary, read.ids, ends, Change()) for read in reads]
    if said[0].ids == said[1].ids:
        raise InputError(f"both texts are answered with {said[0].answer!r}; trace with one that has another answer.")
    traced = trace(model, reads[0].ids, reads[1].ids, said[0].ids, said[1].ids)
    return TracedRun(
        traced, (said[0].answer, said[1].answer), reads[0].tokens, tuple(dict.fromkeys(reads[0].notes + reads[1].notes))
    )
