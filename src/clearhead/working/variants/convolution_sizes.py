"""Other sizes for a convolution: channels, height, width and filters of the same order; kernels, strides and paddings stay."""

from collections.abc import Mapping
from random import Random
from typing import Any

FEW_CHANNELS = (1, 2, 3, 4)
SWAY = 4  # height and width move by up to so many, in even steps


def drawn_sizes(tree: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Another input and other filters."""
    _, height, width = tree["given"]["input"]
    size = [max(1, side + 2 * rng.randint(-SWAY // 2, SWAY // 2)) for side in (height, width)]
    return with_filters({**tree, "given": {**tree["given"], "input": [rng.choice(FEW_CHANNELS), *size]}}, rng)


def drawn_filters(tree: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """The same height and width, for nets that take no other; other channels and filters."""
    _, height, width = tree["given"]["input"]
    return with_filters({**tree, "given": {**tree["given"], "input": [rng.choice(FEW_CHANNELS), height, width]}}, rng)


def with_filters(tree: dict[str, Any], rng: Random) -> dict[str, Any]:
    def other(layer: Mapping[str, Any]) -> dict[str, Any]:
        filters = layer.get("filters")
        return dict(layer) if filters is None else {**layer, "filters": max(1, filters + rng.randint(-2, 4))}

    options = other(tree.get("options", {}))
    if "layers" in options:
        options["layers"] = [other(layer) for layer in options["layers"]]
    return {**tree, "options": options}
