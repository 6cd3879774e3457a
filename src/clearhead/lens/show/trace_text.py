"""A trace as text, as JSON and as a picture."""

from collections.abc import Sequence
from typing import Any

from clearhead.lens.causes.causal_trace import Traced
from clearhead.lens.show.look_text import shown
from clearhead.pictures import ValueMap, value_map

MOST = 24  # tokens of a region that are told
LEAST = 0.1  # from here on a part is worth naming


def trace_text(traced: Traced, answers: Sequence[str], tokens: Sequence[str]) -> str:
    """For people: what each part brings over, and the strongest in a sentence."""
    own, other = answers
    brought = traced.brought()
    width = max(len(name) for name in traced.sites) + 2
    columns = [region.name for region in traced.regions]
    wide = [max(len(name), 8) + 2 for name in columns]
    lines = [
        f"as it is: {own} {traced.own:.3g}, {other} {traced.other:.3g}; after the other text {other} {traced.all_other:.3g}",
        f"how much of {other} comes along when one part is taken from the other text (0: nothing, 1: all):",
        " " * width + "".join(f"{name:>{size}}" for name, size in zip(columns, wide, strict=True)),
    ]
    for site, row in zip(traced.sites, brought.tolist(), strict=True):
        lines.append(
            f"{site:<{width}}"
            + "".join(
                f"{value + 0.0 if abs(value) >= 0.005 else 0.0:>{size}.2f}" for value, size in zip(row, wide, strict=True)
            )
        )
    lines.append(strongest(traced))
    for region in traced.regions:
        words = " ".join(shown(tokens[place]) for place in region.places[:MOST]) + (" …" if len(region.places) > MOST else "")
        lines.append(f"{region.name}: {words}")
    return "\n".join(lines)


def strongest(traced: Traced) -> str:
    """Which parts bring most by themselves, each at its best place: token, memory, attention, feed-forward."""
    brought = traced.brought()
    places = [k for k, region in enumerate(traced.regions) if region.name != "everywhere"]
    best = []
    for site, row in zip(traced.sites, brought.tolist(), strict=True):
        if not site.startswith("state"):
            at = max(places, key=lambda k: row[k])
            best.append((row[at], f"{site} at {traced.regions[at].name} {row[at]:.2f}"))
    told = [words for value, words in sorted(best, key=lambda pair: -pair[0]) if value >= LEAST][:3]
    return "by itself most comes along with: " + ("; ".join(told) or "nothing: no single part brings it")


def trace_tree(traced: Traced, answers: Sequence[str]) -> dict[str, Any]:
    """For programs."""
    brought, left = traced.brought(), traced.own_left
    return {
        "answers": list(answers),
        "own": round(traced.own, 6),
        "other": round(traced.other, 6),
        "all_other": round(traced.all_other, 6),
        "regions": [{"name": region.name, "places": list(region.places)} for region in traced.regions],
        "parts": [
            {"name": site, "brought": brought[k].tolist(), "own_left": left[k].tolist()} for k, site in enumerate(traced.sites)
        ],
    }


def trace_picture(traced: Traced, answers: Sequence[str]) -> str:
    """An SVG: parts by regions."""
    title = f"How much of {answers[1]} comes along with each part (0: nothing, 1: all)"
    return value_map(ValueMap(traced.brought().tolist(), traced.sites, [region.name for region in traced.regions], title))
