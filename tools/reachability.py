"""Draw which tokens reach which place in each language model, measured on random weights, into docs/reachability/.

Run: .venv/bin/python tools/reachability.py; a test holds the committed pictures to what this draws.
"""

from pathlib import Path
from typing import Any

from clearhead.models import build_model
from clearhead.models.reach import fill_randomly, influence
from clearhead.pictures import Panel, heatmap

FOLDER = Path(__file__).parent.parent / "docs" / "reachability"
TOKENS, VOCAB, TOUCHED = 24, 13, 1e-7
SIZES = {"context": TOKENS, "layers": 3, "heads": 2, "width": 8}
SHOWN: dict[str, tuple[str, dict[str, Any]]] = {
    "gpt": ("gpt: every token sees all before it", {"kind": "gpt", **SIZES}),
    "perceiver": (
        "perceiver, m = 8: the first 8 and itself",
        {"kind": "perceiver", "variant": "perceiver", "bottleneck": 8, **SIZES},
    ),
    "perceiver-causal": (
        "perceiver-causal, m = 8: all before it",
        {"kind": "perceiver", "variant": "perceiver-causal", "bottleneck": 8, **SIZES},
    ),
    "bigram": ("bigram: itself alone", {"kind": "bigram", "width": 8, "hidden": 8}),
    "recurrent": (
        "recurrent: all before it, by its state",
        {"kind": "recurrent", "cell": "lstm", "layers": 1, "width": 8, "lanes": 1},
    ),
}


def picture(name: str) -> str:
    """The SVG of one model: row t, column j is dark where token j moves the logits at t."""
    title, settings = SHOWN[name]
    model = build_model(settings, VOCAB).double().eval()
    fill_randomly(model, seed=1)
    moved = influence(model, TOKENS, seed=1) > TOUCHED
    return heatmap([Panel(moved.double().tolist(), title=title)])


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in SHOWN:
        (FOLDER / f"{name}.svg").write_text(picture(name), encoding="utf-8")
        print(FOLDER / f"{name}.svg")


if __name__ == "__main__":
    main()
