"""A look as one HTML document that loads nothing: model view, head view, neuron view, guesses; exports what it shows."""

import json
from functools import lru_cache
from html import escape
from importlib import resources
from typing import Any

from clearhead.lens.looks import LayerLook, Seen
from clearhead.lens.measures.head_labels import labels_of
from clearhead.lens.measures.head_measures import MEASURES, measured_heads
from clearhead.lens.show.head_problem import source_name
from clearhead.lens.show.look_text import look_text
from clearhead.lens.show.packed_weights import packed

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"
SCRIPTS = ("weights.js", "drawing.js", "views.js", "neurons.js", "export.js", "page.js")
FRAME_HEIGHT = 760
IN_WORDS = "the same in words (if no page is shown: trust this notebook, or run the cell)"


def look_page(look: Seen, head: str = "") -> str:
    """The whole document; `head` is what it shows first, and whose q and k it holds where there is no room for all."""
    tree = json.dumps(page_tree(look, head), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    data = tree.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    scripts = "\n".join(page_part(name) for name in SCRIPTS)
    page = page_part("look.html")
    filled = {
        "POLICY": POLICY,
        "TITLE": escape(f"{source_name(look)}: {look.text[:60]}"),
        "STYLE": page_part("look.css"),
        "DATA": data,
        "SCRIPT": scripts,
    }
    before, *pieces = page.split("{{")
    out = [before]
    for piece in pieces:
        name, _, rest = piece.partition("}}")
        out += [filled[name], rest]
    return "".join(out)


def notebook_frame(look: Seen) -> str:
    """The page in a frame of its own, so that a notebook's styles and ours do not meet; it needs no network either.

    Where frames are taken out, as from a notebook that is not trusted yet, the same in words is left.
    """
    page = escape(look_page(look), quote=True)
    frame = f'<iframe title="attention" srcdoc="{page}" style="width:100%;height:{FRAME_HEIGHT}px;border:0"></iframe>'
    return f"{frame}<details><summary>{IN_WORDS}</summary><pre>{escape(look_text(look))}</pre></details>"


@lru_cache
def page_part(name: str) -> str:
    return resources.files("clearhead.lens.show").joinpath("page_parts", name).read_text(encoding="utf-8")


def page_tree(look: Seen, head: str = "") -> dict[str, Any]:
    """Everything that the page knows."""
    sides: list[tuple[str, ...]] = []
    shown = [layer for layer in look.layers if layer.rows]
    if head:
        look.head(head)
    return {
        "source": source_name(look),
        "text": look.text,
        "notes": list(look.notes),
        "answer": dict(look.answer) or None,
        "guesses": [dict(each) for each in look.guesses],
        "measures": MEASURES,
        "layers": [layer_tree(layer, sides) for layer in shown],
        "sides": [list(side) for side in sides],
        "heads": [head_tree(look, layer, number) for layer in shown for number in range(layer.heads)],
        "first": head,
        "packed": packed(look, head).tree(),
    }


def layer_tree(layer: LayerLook, sides: list[tuple[str, ...]]) -> dict[str, Any]:
    """A layer without its weights; names that several layers share are kept once."""
    for side in (layer.rows, layer.columns):
        if side not in sides:
            sides.append(side)
    seen = layer.seen()
    counts = seen.sum(-1).tolist()
    causal = counts == list(range(1, len(counts) + 1)) and seen.shape[0] == seen.shape[1]
    return {
        "name": layer.name,
        "heads": layer.heads,
        "rows": sides.index(layer.rows),
        "columns": sides.index(layer.columns),
        "mask": "none" if layer.visible is None else "causal" if causal else "own",
        "sees": counts,
        "width": 0 if layer.q is None else layer.q.shape[-1],
        "values": 0 if layer.v is None else layer.v.shape[-1],
        "scale": layer.scale,
        "bias": layer.bias is not None,
    }


def head_tree(look: Seen, layer: LayerLook, number: int) -> dict[str, Any]:
    name = layer.head_name(number)
    labels = [{"name": each.name, "holds": each.holds, "told": str(each)} for each in labels_of(look)[name]]
    group = f"shares keys {layer.groups[number]}" if layer.groups else ""
    return {"name": name, "measures": measured_heads(look)[name].tree(), "labels": labels, "group": group}
