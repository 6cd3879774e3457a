"""The attention maps of a working as a picture: weights as shown, one panel a head."""

from clearhead.errors import InputError
from clearhead.pictures import Panel, connections, heatmap
from clearhead.working.observations import as_shown
from clearhead.working.render.page.layout import clean
from clearhead.working.render.page.numerals import Numerals
from clearhead.working.steps import Working

STYLES = {"connections": connections, "heatmap": heatmap}
MOST_TOKENS_DRAWN = 256  # tokens on a side
PICTURED_TOKENS, PICTURED_HEADS = 32, 4


def picture(working: Working, style: str = "") -> str:
    """An SVG of every attention map, in a style or in the working's own."""
    style = style or working.style
    if style not in STYLES:
        raise InputError(f"there is no picture style {style!r}; there are {', '.join(STYLES)}")
    if not working.plan.maps:
        raise InputError(f"a problem of kind {working.plan.kind} has no attention map to draw")
    return STYLES[style](panels_of(working))


def has_picture(working: Working) -> bool:
    """Whether a page shows the maps by itself: there are some, and they are small enough to be read."""
    maps = working.plan.maps
    return 0 < len(maps) <= PICTURED_HEADS and all(max(working.values[name].shape) <= PICTURED_TOKENS for name in maps)


def panels_of(working: Working) -> list[Panel]:
    """Weights as they are shown decide which lines are solid and which are dashed."""
    plan, decimals = working.plan, Numerals(working.policy, working.digits).decimals
    panels = []
    heads = is_numbered(plan.maps)
    for number, name in enumerate(plan.maps, start=1):
        step, value = plan.step(name), working.values[name]
        if max(value.shape) > MOST_TOKENS_DRAWN:
            raise InputError(f"{name} is {value.shape[0]}×{value.shape[1]}; at most {MOST_TOKENS_DRAWN} tokens can be drawn")
        weights = [[float(as_shown(cell, decimals)) for cell in row] for row in value.rows]
        title = clean(plan.title) if len(plan.maps) == 1 else f"Head {number}" if heads else name
        panels.append(Panel(weights, [clean(x) for x in step.rows], [clean(x) for x in step.columns], title))
    return panels


def is_numbered(names: tuple[str, ...]) -> bool:
    """Whether steps are one step of several heads: one name, numbered from 1.

    >>> is_numbered(("weights1", "weights2")), is_numbered(("masked", "p"))
    (True, False)
    """
    stem = names[0].removesuffix("1") if names else ""
    return names == tuple(f"{stem}{n}" for n in range(1, len(names) + 1))
