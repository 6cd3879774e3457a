"""What an experiment ends in: predictions, figures.json, and a table to read."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clearhead.answering.answerer import Answerer, trained_answerer
from clearhead.answering.answers import Score, answer, baseline, labelled, score
from clearhead.answering.ask import require_share
from clearhead.answering.attention_picture import PICTURE, draw_attention
from clearhead.answering.certainty.calibration import STRANGERS
from clearhead.answering.certainty.certainty_report import certainty_report
from clearhead.answering.question_forms import best_answers
from clearhead.corpora import Question, find_corpus
from clearhead.corpora.sources.biographies import read_questions
from clearhead.errors import InputError
from clearhead.experiment.stages import PRETRAINED, WITHOUT, shared_anew
from clearhead.saving import write_whole
from clearhead.training.folders.run_folder import CHECKPOINTS, CURVE, FIGURES, RECIPE
from clearhead.training.folders.runs import open_run
from clearhead.training.folders.stage import Sitting, Teller, train_stage
from clearhead.training.machines.processes import by_the_first, rank
from clearhead.training.steps.checkpoints import progress_in, steps_in

SHOWN = 5  # answered questions in the table


@dataclass(frozen=True, slots=True)
class AnsweredQuestions:
    """Answers to one list of questions, and their score where the right ones are known."""

    questions: Sequence[Question]
    answers: list[str]
    score: Score | None
    everybody: str  # the answer of the baseline
    baseline: Score | None


def asked(run: Answerer, questions: Sequence[Question], predictions: Path) -> AnsweredQuestions:
    """Ask a trained run, write its answers one a line, and score them where the right ones are known."""
    answering = best_answers if run.recipe.start else answer  # one that never read a sentence is asked the question alone
    answers = answering(run.model, run.vocabulary, questions)
    write_whole(predictions, "".join(line + "\n" for line in answers))
    if not labelled(questions):
        return AnsweredQuestions(questions, answers, None, "", None)
    everybody, base = baseline(run.corpus.train, questions)
    return AnsweredQuestions(questions, answers, score(answers, questions), everybody, base)


@dataclass(frozen=True, slots=True)
class Result:
    """A whole experiment, evaluated."""

    folder: Path
    dev: AnsweredQuestions
    without: AnsweredQuestions | None
    figures: dict[str, Any]
    picture: Path | None  # what the model looked at while it answered the first question


def conclude(folder: Path, since: float) -> Result:
    """Evaluate an experiment whose stages are trained: predictions and figures.json into its folder."""
    run = trained_answerer(folder)
    dev = asked(run, run.corpus.dev, folder / "dev.predictions")
    if run.corpus.test:
        asked(run, run.corpus.test, folder / "test.predictions")
    without = None
    if (folder / WITHOUT / RECIPE).exists():
        without = asked(trained_answerer(folder / WITHOUT), run.corpus.dev, folder / WITHOUT / "dev.predictions")
    figures = {
        "variant": run.recipe.variant,
        "recipe": run.recipe.name,
        "seed": run.recipe.seed,
        "minutes": round((time.monotonic() - since) / 60, 3),
        "dev": tree(dev.score),
        "dev_without_pretraining": tree(without.score) if without else None,
        "baseline": tree(dev.baseline),
        "tokens_per_second": round(speed(folder), 1),
    }
    write_whole(folder / FIGURES, json.dumps(figures, indent=2) + "\n")
    picture = draw_attention(run, dev.questions[0], dev.answers[0], folder / PICTURE) if dev.answers else None
    return Result(folder, dev, without, figures, picture)


def run_experiment(
    folder: Path,
    since: float,
    tell: Teller,
    sitting: Sitting = Sitting(),  # noqa: B008  (it is frozen)
) -> Result | None:
    """Train what is not trained yet of a prepared experiment, then evaluate it; time counts from `since`.

    Every process trains; the first one evaluates, and the others have nothing to tell.
    """
    if not (folder / RECIPE).exists():
        raise InputError(f"{folder} holds no experiment to go on with; start one.")
    since -= spent_before(folder)
    if (folder / PRETRAINED / RECIPE).exists() or not steps_in(folder / CHECKPOINTS):  # later it is not needed any more
        train_stage(open_run(folder / PRETRAINED), "pretrain", tell, sitting)
    for place, title in ((folder, "finetune"), (folder / WITHOUT, "finetune without pretraining")):
        if (place / RECIPE).exists():
            by_the_first(lambda: shared_anew(folder, since))
            train_stage(open_run(place), title, tell, sitting)
    return conclude(folder, since) if rank() == 0 else None


def evaluated(folder: Path, questions: str, data: str, predictions: str, strangers: float = STRANGERS) -> str:
    """Ask a trained run the dev or test questions of its corpus (or of `data`), or those of a file; what to print."""
    require_share(strangers)
    run = trained_answerer(folder)
    if not data:
        run.require_same_data(shell="(--data)")
    corpus = find_corpus(data) if data else run.corpus
    parts = {"dev": corpus.dev, "test": corpus.test}
    name = questions if questions in parts else Path(questions).stem
    chosen = parts[questions] if questions in parts else read_questions(Path(questions), labelled=False)
    if not chosen:
        raise InputError(
            f"there are no {questions} questions in {corpus.name}; name a file of questions.", "(--questions FILE)"
        )
    place = Path(predictions) if predictions else folder / f"{name}.predictions"
    told = outcome_text(asked(run, chosen, place), place)
    return told + "\n" + certainty_report(run, strangers) if chosen is run.corpus.dev else told


def tree(score: Score | None) -> dict[str, float] | None:
    return score.tree() if score else None


def speed(folder: Path) -> float:
    """Real tokens a second over the pretraining of an experiment."""
    progress = progress_in(folder / PRETRAINED / CHECKPOINTS)
    return progress.tokens / max(progress.seconds, 1e-9)


def spent_before(folder: Path) -> float:
    """Seconds that earlier sittings spent training an experiment, from its last checkpoints."""
    places = (folder / PRETRAINED, folder, folder / WITHOUT)
    return sum(progress_in(place / CHECKPOINTS).seconds for place in places)


def scored_line(name: str, outcome: Score | None, certain: bool = False) -> str:
    """One row of the table."""
    if outcome is None:
        return f"{name:<24}"
    low, high = outcome.interval
    between = f"   95 % between {low:.1%} and {high:.1%}" if certain else ""
    return f"{name:<24} {outcome.correct:>5} of {outcome.total:<5} {outcome.accuracy:>6.1%}{between}"


def outcome_text(outcome: AnsweredQuestions, predictions: Path) -> str:
    """What `evaluate` prints."""
    if outcome.score is None:
        return f"{len(outcome.answers)} answers in {predictions}; the right ones are not known, so nothing is counted."
    lines = [
        scored_line("correct", outcome.score, certain=True),
        scored_line(f"all {outcome.everybody}", outcome.baseline),
        f"answers in {predictions}",
    ]
    return "\n".join(lines)


def result_text(result: Result) -> str:
    """The table of a whole experiment, and a few answered questions."""
    lines = [
        scored_line("with pretraining", result.dev.score, certain=True),
        *([scored_line("without pretraining", result.without.score, certain=True)] if result.without else []),
        scored_line(f"baseline: all {result.dev.everybody}", result.dev.baseline),
        "",
    ]
    width = max((len(question.text) for question in result.dev.questions[:SHOWN]), default=0)
    for question, said in zip(result.dev.questions[:SHOWN], result.dev.answers, strict=False):
        verdict = "right" if said == question.answer else f"wrong: {question.answer}"
        lines.append(f"{question.text:<{width}}  {said}  ({verdict})")
    lines += ["", f"{result.figures['minutes']:.1f} minutes; figures in {result.folder / FIGURES}"]
    if result.picture:
        lines.append(f"what it looked at for the first of these: {result.picture}")
    lines.append(f"how the loss fell: {result.folder / PRETRAINED / CURVE} and {result.folder / CURVE}")
    if result.dev.questions:
        lines.append(f'ask it yourself: clearhead ask {result.folder} "{result.dev.questions[0].text}"')
        lines.append(f'look inside: clearhead look {result.folder} "{result.dev.questions[0].text}" --out look.html')
    return "\n".join(lines)
