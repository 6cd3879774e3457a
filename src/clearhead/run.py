"""Runs from Python: train one, or open one, and ask, sample, score, classify with it."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearhead.answering.answerer import answerer_of
from clearhead.answering.ask import Reply, Terms, answer_to
from clearhead.errors import InputError
from clearhead.mistakes.classification import verdict_on
from clearhead.perplexity.figures import Figures, measured
from clearhead.progress import bar, unseen
from clearhead.sampling.choice import Choice
from clearhead.sampling.samples import drawn_from
from clearhead.training.folders import runs as folders
from clearhead.training.folders.run_folder import FIGURES, METRICS, RECIPE
from clearhead.training.folders.stage import Teller, train_stage
from clearhead.training.folders.wishes import resumed, started
from clearhead.training.steps.metrics import read_metrics

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Settings = Mapping[str, object] | Sequence[str]


class Run(folders.Run):
    """A trained run: what it was trained by, and everything that can be asked of it."""

    def ask(
        self,
        question: str,
        *,
        abstain: float | None = None,
        strangers: float | None = None,
        note: Callable[[str], None] = folders.unheard,
    ) -> Reply:
        """The answer to a question, how sure it is where so many are strangers, and whether the name was ever read."""
        return answer_to(answerer_of(self), question, Terms(abstain, strangers), None, note)

    def sample(self, prompt: str = "", *, tokens: int = 400, seed: int = 0, **choice: float) -> str:
        """Text drawn after a prompt; `temperature`, `top_k` and `top_p` say how."""
        return self.samples(1, prompt, tokens=tokens, seed=seed, **choice)[0]

    def samples(self, count: int, prompt: str = "", *, tokens: int = 400, seed: int = 0, **choice: float) -> list[str]:
        """Several texts drawn after one prompt, each by a seed of its own."""
        wanted: dict[str, Any] = {"temperature": 0.8} | choice
        return drawn_from(self, prompt, tokens, Choice(**wanted), seed, count)

    def perplexity(self, text: str | Path) -> Figures:
        """How surprised the run is by a text, or by the text of a file."""
        whole = text.read_text(encoding="utf-8") if isinstance(text, Path) else text
        return measured(self.model, self.vocabulary, [whole] if whole else [])

    def classify(self, thing: "str | Path | ArrayLike") -> dict[str, float]:
        """How likely a classifier finds each class for a text or a picture."""
        return verdict_on(self, thing)

    @cached_property
    def figures(self) -> dict[str, Any]:
        """What the run came to: tokens, loss and seconds of its training, and what was measured since."""
        metrics = read_metrics(self.folder / METRICS)
        last = metrics[-1] if metrics else {}
        known: dict[str, Any] = {key: last[key] for key in ("tokens", "loss", "seconds") if key in last}
        with suppress(OSError, ValueError):  # nothing may have been measured yet
            known |= json.loads((self.folder / FIGURES).read_text(encoding="utf-8"))
        return known

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}, recipe {self.recipe.name!r}, corpus {self.recipe.corpus!r})"


def open_run(folder: str | Path) -> Run:
    """A run folder in memory, with the weights of its last checkpoint."""
    run = folders.trained(Path(folder))
    return Run(run.folder, run.recipe, run.vocabulary, run.model)


def train(
    recipe: str = "fast",
    *,
    out: str | Path,
    corpus: str | Path = "",
    minutes: float = 0.0,
    seed: int | None = None,
    start: str | Path | None = None,
    settings: Settings = (),
    quiet: bool = False,
) -> Run:
    """Train a recipe into a folder, or go on with the run that is there by the same recipe; then open it.

    `corpus` is a name or a path, `settings` change the recipe: {"training.rate": 0.001}. Calling it twice trains once.
    """
    folder = Path(out)
    said = [*written(settings), *([f"corpus={json.dumps(str(corpus))}"] if str(corpus) else [])]
    begin = Path(start) if start is not None else None
    if (folder / RECIPE).exists():
        run = resumed(folder, recipe, said, 0.0, seed)
    else:
        run = started(recipe, folder, said, minutes, seed, begin)
    train_stage(run, "train", Teller(bar=unseen if quiet else bar))
    return open_run(folder)


def written(settings: Settings) -> list[str]:
    """Settings as they stand on a line: key=value."""
    if isinstance(settings, str):
        raise InputError(f"settings are a dict, or a list of key=value; got the text {settings!r}.")
    if not isinstance(settings, Mapping):
        return [str(each) for each in settings]
    plain = (int, float)  # as TOML writes them; the rest is quoted as JSON does
    return [
        f"{key}={value if isinstance(value, plain) and not isinstance(value, bool) else json.dumps(value)}"
        for key, value in settings.items()
    ]
