"""`clearhead ask`: one question to a run, the answer with how sure it is, or that it does not know."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from clearhead.answering.answerer import Answerer, trained_answerer
from clearhead.answering.certainty.calibration import STRANGERS, Judge, OwnShares, WithoutStrangers
from clearhead.answering.certainty.confidence import cannot_learn, is_earlier, kept_confidence, learned_confidence
from clearhead.answering.name_index import NameIndex, index_for, kept_index
from clearhead.answering.question_forms import Asking, Heard
from clearhead.answering.typed_names import askings_of, heard_as
from clearhead.answering.why import draw_why, looked, teaching_sentence, why_text
from clearhead.corpora import CharacterVocabulary
from clearhead.errors import ClearheadError, InputError
from clearhead.pictures import require_picture_name

SHOWN = 4  # runners-up


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person gets; the guess is told even where it is not given as the answer."""

    guess: str
    probability: float
    level: float
    seen: bool | None  # shown only: it decides nothing; None: not known
    runners_up: list[tuple[str, float]]
    notes: list[str]
    why: str = ""
    calibrated: bool = True
    name: str = ""  # what was taken for the name
    strangers: float | None = None  # the share of strangers the probability holds for; None: they had no part in it

    @property
    def abstained(self) -> bool:
        return self.probability < self.level

    @property
    def answer(self) -> str | None:
        """The guess, or None where the run does not know."""
        return None if self.abstained else self.guess

    def __str__(self) -> str:
        return reply_text(self)


@dataclass(frozen=True, slots=True)
class Terms:
    """What an asker may say: the level below which the run does not know, and how many of those asked about are strangers."""

    abstain: float | None = None  # None: the run's own level
    strangers: float | None = None  # None: the share that the run's level was chosen for

    def __post_init__(self) -> None:
        if self.abstain is not None and not 0 <= self.abstain <= 1:
            raise InputError(f"abstain must lie from 0 (always answer) to 1; got {self.abstain:g}.")
        if self.strangers is not None:
            require_share(self.strangers)


def require_share(strangers: float) -> None:
    if not 0 <= strangers <= 1:
        raise InputError(f"strangers is a share from 0 (nobody) to 1 (everybody); got {strangers:g}.")


def ask(folder: Path, question: str, terms: Terms, why: Path | None, note: Callable[[str], None]) -> Reply:
    """Ask the run in a folder."""
    return answer_to(trained_answerer(folder), question, terms, why, note)


def answer_to(run: Answerer, question: str, terms: Terms, why: Path | None, note: Callable[[str], None]) -> Reply:
    """Ask a trained run."""
    if why is not None:
        require_picture_name(why)
    askings = askings_of(question)
    heard = heard_as(run.model, run.vocabulary, askings)
    asking = heard.asking
    judge = judged_by(run, note)
    strangers = judge.strangers if terms.strangers is None else terms.strangers
    (probability,) = judge.calibration.probabilities([heard.evidence], strangers)
    index = known_names(run)
    seen = None if index is None else asking.name in index
    explained = ""
    if why is not None:
        layers = looked(run, asking, heard.answer)
        draw_why(layers, why)
        sentence = None if index is None else teaching_sentence(run.corpus, index, asking.name, heard.answer)
        explained = why_text(layers, asking, heard.answer, sentence, bool(seen))
    return Reply(
        guess=heard.answer,
        probability=probability,
        level=judge.level if terms.abstain is None else terms.abstain,
        seen=seen,
        runners_up=shared_out(heard, judge.calibration, probability, strangers),
        notes=[*([judge.doubt] if judge.doubt else []), *notes_on(run, asking)],
        why=explained,
        calibrated=not isinstance(judge.calibration, OwnShares),
        name=asking.name,
        strangers=None if judge.doubt else strangers,
    )


@dataclass(frozen=True, slots=True)
class Judgement:
    """What turns evidence into a probability, the level below which the run does not know, and what to doubt about it."""

    calibration: Judge
    level: float
    strangers: float
    doubt: str = ""


def judged_by(run: Answerer, note: Callable[[str], None]) -> Judgement:
    """What judges a run: kept in its folder, or learned now; else its own shares."""
    kept = kept_confidence(run)
    reason = "" if kept and not is_earlier(kept) else cannot_learn(run)
    if kept and reason:
        promise = "strangers had no part in it, so it promises too much about them"
        doubt = f"calibrated by an earlier version, which cannot be done anew: {reason}"
        earlier = isinstance(kept.calibration, WithoutStrangers)
        return Judgement(kept.calibration, kept.level, kept.strangers, f"{doubt}; {promise}" if earlier else "")
    if reason:
        doubt = f"not calibrated: {reason}. The probability is the model's own share of its answer, and may promise too much"
        return Judgement(OwnShares(), 0.0, STRANGERS, doubt)
    confidence = kept if kept and not is_earlier(kept) else learned_confidence(run, note)
    return Judgement(confidence.calibration, confidence.level, confidence.strangers)


def known_names(run: Answerer) -> NameIndex | None:
    """The names that the run has read of; None where neither its folder nor its corpus can tell."""
    try:
        return kept_index(run.folder) or index_for(run.folder, run.corpus)
    except ClearheadError:
        return None


def shared_out(heard: Heard, learned: Judge, probability: float, strangers: float) -> list[tuple[str, float]]:
    """The runners-up, judged like the answer; none is more likely than it, and all together leave no more than certainty."""
    others = heard.weighed[1 : SHOWN + 1]
    sure = [min(each, probability) for each in learned.probabilities([other.evidence for other in others], strangers)]
    room = min(1.0, (1 - probability) / max(sum(sure), 1e-12))
    listed = [(other.answer, each * room) for other, each in zip(others, sure, strict=True)]
    return sorted(listed, key=lambda each: -each[1])


def notes_on(run: Answerer, asking: Asking) -> list[str]:
    """What a person should know about this question."""
    notes = []
    if not asking.trained:
        notes.append(
            'the run was never trained on questions of this form, only on "Where was X born?"; '
            f"the name was taken to be {asking.name[:60]!r}, and the probability holds for that form only"
        )
    strange = sorted({letter for letter in asking.text if run.vocabulary.encode(letter) == [run.vocabulary.pad]})
    if isinstance(run.vocabulary, CharacterVocabulary) and strange:
        letters = " ".join(strange[:20]).encode("utf-8", "backslashreplace").decode()  # half a letter cannot be printed
        notes.append(f"never read before, and taken for blanks: {letters}")
    return notes


def reply_json(reply: Reply) -> str:
    """For programs; where the run does not know, its best guess is the first of the runners-up."""
    listed = [(reply.guess, reply.probability)] if reply.abstained else []
    tree = {
        "answer": None if reply.abstained else reply.guess,
        "probability": round(reply.probability, 6),
        "abstained": reply.abstained,
        "name": reply.name,
        "seen": reply.seen,
        "calibrated": reply.calibrated,
        "strangers": reply.strangers,
        "runners_up": [{"answer": answer, "probability": round(sure, 6)} for answer, sure in [*listed, *reply.runners_up]],
    }
    return json.dumps(tree, ensure_ascii=False)


def reply_text(reply: Reply) -> str:
    """For people."""
    if reply.abstained:
        first = (
            f"I don't know. (The best guess is {reply.guess}, right with {percent(reply.probability)}; "
            f"an answer needs {percent(reply.level)}.)"
        )
    else:
        first = f"{reply.guess} (right with {percent(reply.probability)})"
    others = ", ".join(f"{answer} {percent(sure)}" for answer, sure in reply.runners_up)
    index = {True: "stands in the text it learned from", False: "stands nowhere in the text it learned from"}
    named = f"the name {reply.name!r}" if reply.name else "the name"
    told = f"{named} {index[reply.seen]}" if reply.seen is not None else f"whether {named} was ever read is not known here"
    lines = [first, *([f"runners-up: {others}"] if others else []), told]
    if reply.strangers is not None:
        lines.append(f"probabilities: as if {percent(reply.strangers)} of those asked about were strangers to it")
    lines += [*([reply.why] if reply.why else []), *(f"note: {note}" for note in reply.notes)]
    return "\n".join(lines)


def percent(share: float) -> str:
    """
    >>> percent(0.123), percent(0.0004), percent(0.9999)
    ('12 %', 'under 1 %', 'over 99 %')
    """
    if 0 < share < 0.01:
        return "under 1 %"
    return "over 99 %" if 0.99 < share < 1 else f"{100 * share:.0f} %"
