"""The model card: what a run is, how to open it, what it was trained on, how good it is, and what to beware of."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from clearhead.models import Classifier
from clearhead.training.folders.run_folder import FIGURES
from clearhead.training.folders.runs import Run
from clearhead.training.steps.metrics import read_metrics
from clearhead.version import __version__

SHOWN = 20  # files, and figures

CAUTIONS = {
    "questions": "It answers from memory alone, says something about everybody, and what it says of people whom it has never "
    "read of follows from how their names sound. Never use its guesses about a person; `clearhead ask` may say that it does "
    "not know.",
    "text": "It writes what is likely after a text, true or not; what it learned from may show through word by word.",
    "classes": "It knows the classes of its training data and no others, and is as sure of something quite unlike them. A text "
    "is judged by its words and their neighbours: irony is beyond it. On your own data: `clearhead errors RUN --on FILE`.",
}


def model_card(run: Run, as_gpt2: bool) -> str:
    """README.md of an exported folder."""
    name = run.folder.resolve().name
    weights = sum(weight.numel() for weight in run.model.parameters())
    lines = [
        "---",
        f"library_name: {'transformers' if as_gpt2 else 'clearhead'}",
        "tags:",
        "- clearhead",
        "---",
        f"# {name}",
        "",
        f"A model of {weights:,} weights ({run.recipe.model.get('kind', 'gpt')}), trained with Clearhead {__version__} by the "
        f"recipe `{run.recipe.name}`, seed {run.recipe.seed}.",
        "",
        "## How to open it",
        "",
        *opening(as_gpt2),
        "",
        "## What it was trained on",
        "",
        *data_lines(run),
        "",
        "## How good it is",
        "",
        *figure_lines(run),
        "",
        "## Caution",
        "",
        CAUTIONS[caution_of(run)],
        "It is small and was made for learning about models, not for decisions about people.",
        "",
        "## Sizes and settings",
        "",
        "```json",
        json.dumps({"model": dict(run.recipe.model), "training": asdict(run.recipe.training)}, indent=1, default=str),
        "```",
    ]
    return "\n".join(lines) + "\n"


def opening(as_gpt2: bool) -> list[str]:
    ours = ["```", "clearhead import FOLDER --out RUN", "```"]
    if not as_gpt2:
        return ["transformers knows no such model; the weights are plain safetensors under our names. In Clearhead:", "", *ours]
    return [
        "```python",
        "from transformers import AutoModelForCausalLM, AutoTokenizer",
        'model, tokenizer = AutoModelForCausalLM.from_pretrained("FOLDER"), AutoTokenizer.from_pretrained("FOLDER")',
        "```",
        "",
        "or in Clearhead:",
        "",
        *ours,
    ]


def caution_of(run: Run) -> str:
    if isinstance(run.model, Classifier):
        return "classes"
    asked = any(each.corpus_kind.objectives.keys() & {"questions"} for each in run.recipe.objectives)
    return "questions" if asked else "text"


def data_lines(run: Run) -> list[str]:
    """The corpus and its files, by name and SHA-256; where they lay is nobody's business."""
    record = run.data
    if record is None:
        return [f"`{Path(run.recipe.corpus).name}`; the run did not record its files."]
    if not record.files:
        return [f"`{record.corpus}`, which is built in and made from a seed."]
    rows = [f"| {Path(each.path).name} | {each.bytes:,} | `{each.sha256}` |" for each in record.files[:SHOWN]]
    more = [f"| and {len(record.files) - SHOWN:,} more | | |"] if len(record.files) > SHOWN else []
    return [f"`{Path(record.corpus).name}`:", "", "| file | bytes | SHA-256 |", "| --- | --- | --- |", *rows, *more]


def figure_lines(run: Run) -> list[str]:
    """What was measured, as it stands in figures.json, and where the training loss ended."""
    metrics = read_metrics(run.folder / "metrics.jsonl")
    rows: dict[str, Any] = {}
    if metrics:
        rows |= {f"training {key}": metrics[-1][key] for key in ("tokens", "loss") if key in metrics[-1]}
    try:
        rows |= flat(json.loads((run.folder / FIGURES).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        rows["measured since"] = "nothing"
    shown = list(rows.items())[:SHOWN]
    return ["| figure | value |", "| --- | --- |", *(f"| {key} | {told(value)} |" for key, value in shown)]


def flat(tree: dict[str, Any], before: str = "") -> dict[str, Any]:
    """
    >>> flat({"dev": {"correct": 3, "total": 4}, "confusion": [[1]], "seed": 0})
    {'dev correct': 3, 'dev total': 4, 'seed': 0}
    """
    found: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            found |= flat(value, f"{before}{key} ")
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            found[f"{before}{key}"] = Path(str(value)).name if key == "corpus" else value
    return found


def told(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
