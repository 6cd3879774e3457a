"""The runs of a folder: what each is, how far it is, what it came to."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from clearhead.errors import ClearheadError, InputError
from clearhead.training.folders.run_folder import CHECKPOINTS, FIGURES, RECIPE
from clearhead.training.recipes.recipe import read_recipe
from clearhead.training.steps.checkpoints import progress_in


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run in a list."""

    folder: str
    recipe: str
    corpus: str
    tokens: int
    total: int
    accuracy: float | None  # on what it held out, if that was looked at

    @property
    def done(self) -> bool:
        return self.tokens >= self.total


def runs_in(folder: Path) -> list[RunRow]:
    """Every run in a folder and below it, by path."""
    if not folder.is_dir():
        raise InputError(f"{folder}: a folder of runs was expected; there is none.")
    return [row for file in sorted(folder.rglob(RECIPE)) if (row := run_row(file.parent)) is not None]


def run_row(folder: Path) -> RunRow | None:
    """A run in one line; None where it cannot be read."""
    try:
        recipe = read_recipe(folder / RECIPE)
    except ClearheadError:
        return None
    progress = progress_in(folder / CHECKPOINTS)
    corpus = Path(recipe.corpus).name if Path(recipe.corpus).is_absolute() else recipe.corpus
    return RunRow(str(folder), recipe.name, corpus, progress.tokens, recipe.training.tokens, accuracy_in(folder))


def accuracy_in(folder: Path) -> float | None:
    """The accuracy that the figures of a run tell, of whatever kind it is."""
    try:
        figures = json.loads((folder / FIGURES).read_text(encoding="utf-8"))
        return float(figures["accuracy"] if "accuracy" in figures else figures["dev"]["accuracy"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def list_text(rows: list[RunRow]) -> str:
    """The list in columns, for people."""
    if not rows:
        return "no run is here; train one: clearhead train fast --out runs/first"
    width = max(len(row.folder) for row in rows)
    lines = []
    for row in rows:
        far = "done" if row.done else f"{100 * row.tokens / row.total:.0f} %"
        right = "" if row.accuracy is None else f"  {row.accuracy:.1%} right"
        lines.append(f"{row.folder:<{width}}  {row.recipe:<16}{row.corpus:<24}{far:>5}{right}")
    return "\n".join(lines)


def list_json(rows: list[RunRow]) -> str:
    """The list for programs."""
    return json.dumps([asdict(row) | {"done": row.done} for row in rows], indent=1, ensure_ascii=False)
