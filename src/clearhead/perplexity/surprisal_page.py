"""A text coloured by how surprised a model was at each token: one page, nothing is loaded."""

import html
import math
from collections.abc import Sequence
from pathlib import Path

from clearhead.perplexity.derivation import Piece
from clearhead.perplexity.figures import measured
from clearhead.perplexity.passages import beginning_of
from clearhead.saving import write_whole
from clearhead.training.folders.runs import Run

MOST = 50_000  # tokens on one page
DEEPEST = 16.0  # bits at which the colour is full
STYLE = """body{font:16px/1.7 'DejaVu Sans',Arial,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#1c2430}
.text{white-space:pre-wrap;overflow-wrap:anywhere}.text span{border-radius:2px}.u{border-bottom:2px solid #b3261e}
.key span{display:inline-block;padding:0 .6em}"""


def surprisal_page(title: str, priced: Sequence[tuple[Piece, float]]) -> str:
    """The text; each token's tooltip tells its bits, those of the model and those of the side model."""
    spans = [span(piece, cost) for piece, cost in priced[:MOST] if piece.text]
    key = "".join(f'<span style="{shade(bits)}">{bits} bits</span>' for bits in (0, 2, 4, 8, 16))
    cut = f"<p>Only the first {MOST:,} tokens are shown.</p>" if len(priced) > MOST else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{STYLE}</style></head><body><h1>{html.escape(title)}</h1>"
        f'<p class="key">{key} <span class="u">outside the vocabulary</span></p>'
        f'<div class="text">{"".join(spans)}</div>{cut}</body></html>\n'
    )


def span(piece: Piece, cost: float) -> str:
    side = sum(piece.charges.values()) / math.log(2)
    bits = cost / math.log(2) + side
    tip = f"{bits:.1f} bits" + (f", {side:.1f} of them side model" if side >= 0.05 else "")
    mark = ' class="u"' if piece.unknown else ""
    return f'<span{mark} style="{shade(bits)}" title="{tip}">{html.escape(piece.text)}</span>'


def shade(bits: float) -> str:
    """
    >>> shade(0.0), shade(16.0)
    ('background:rgba(31,95,174,0.00)', 'background:rgba(31,95,174,0.75)')
    """
    return f"background:rgba(31,95,174,{0.75 * min(bits / DEEPEST, 1):.2f})"


def write_page(run: Run, file: Path, out: Path) -> None:
    """Colour the first part of a file by surprisal."""
    kept: list[tuple[Piece, float]] = []
    measured(run.model, run.vocabulary, [beginning_of(file)], keep=kept)
    write_whole(out, surprisal_page(f"{file.name} under {run.folder.name}", kept))
