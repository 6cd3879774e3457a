"""Two texts through a run, traced: their answers, and what each part of the model brings over."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clearhead.errors import InputError
from clearhead.lens.capture.run_look import answers_questions, attending_model, read_text
from clearhead.lens.causes.answer_chance import answer_room, watched_answer
from clearhead.lens.causes.causal_trace import REGIONS, Traced, trace
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
    if not other.strip():
        raise InputError("the other text is empty; trace with one that has another answer.")
    reads = [read_text(run, each, room=answer_room(model, ends)) for each in (text, other)]
    said = [watched_answer(model, run.vocabulary, read.ids, ends, Change()) for read in reads]
    if said[0].ids == said[1].ids:
        raise InputError(f"both texts are answered with {said[0].answer!r}; trace with one that has another answer.")
    traced = renamed(trace(model, reads[0].ids, reads[1].ids, said[0].ids, said[1].ids), reads[0].names)
    return TracedRun(
        traced, (said[0].answer, said[1].answer), reads[0].tokens, tuple(dict.fromkeys(reads[0].notes + reads[1].notes))
    )


def renamed(traced: Traced, names: Sequence[int]) -> Traced:
    """Where more than a name differs between the texts, what differs is not called one."""
    if set(traced.regions[0].places) <= set(names):
        return traced
    called = {REGIONS[0]: "what differs", REGIONS[1]: "the last of it"}
    return replace(traced, regions=tuple(replace(each, name=called.get(each.name, each.name)) for each in traced.regions))
