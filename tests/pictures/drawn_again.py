"""Every kind of picture on small numbers of ours: what the snapshots are of."""

import math

from clearhead.pictures import (
    Axis,
    Bar,
    Chart,
    Graph,
    GrowthLine,
    HeadTile,
    Panel,
    Plane,
    Trace,
    ValueMap,
    bars,
    connections,
    coverage_curve,
    curves,
    graphs,
    growth,
    heads_grid,
    heatmap,
    histogram,
    reliability,
    scatter,
    themed,
    value_map,
)

SCRIPTS = ["שלום", "مرحبا", "Ärger", "नमस्ते", "語", "e\u0301clair", "👩\u200d👩\u200d👧", "plain"]
TRIANGLE = [[round(1 / (i + 1), 2) if j <= i else 0.0 for j in range(8)] for i in range(8)]
BACK = [[1.0 if j == max(i - 1, 0) else 0.0 for j in range(8)] for i in range(8)]
WAVE = [(x, 2 + math.sin(x / 3)) for x in range(20)]


def tile(layer: int, head: int) -> HeadTile:
    """The second head of each layer looks back by one."""
    return HeadTile(f"{layer}.{head}", BACK if head == 2 else TRIANGLE, "previous token" if head == 2 else "")


def pictures() -> dict[str, str]:
    """Each by its name."""
    tiles = [[tile(layer, head) for head in (1, 2, 3)] for layer in (1, 2)]
    band = [(y - 0.3, y + 0.2) for _, y in WAVE]
    lines = [Trace(f"line {k}", [(x, y + k) for x, y in WAVE], [(low + k, high + k) for low, high in band]) for k in range(4)]
    drawn = {
        "bars": bars({"with": (0.9, 0.8, 1.0), "without": (0.1, 0.0, 0.25)}, "Right answers", "share"),
        "connections": connections([Panel([[0.75, 0.25, 0.0], [0.2, 0.2, 0.6]], title="two outputs")]),
        "coverage": coverage_curve([(0.2, 0.0), (0.6, 0.05), (1.0, 0.3)], (0.6, 0.05), "dev"),
        "curves": curves({f"run {k}": [(x, y + k) for x, y in WAVE] for k in range(3)}, "Loss", "steps", "nats"),
        "graphs": graphs([Graph("With intervals", Axis("steps"), Axis("nats"), lines)]),
        "growth": growth(
            [Chart("Time", "tokens", "s", [GrowthLine("n²", [8, 16, 32], [1, 4, 16]), GrowthLine("n", [8, 16, 32], [2, 4, 8])])]
        ),
        "heads": heads_grid(tiles, ["layer 1", "layer 2"], "Every head", "नमस्ते दुनिया"),
        "heatmap": heatmap([Panel(TRIANGLE, SCRIPTS, SCRIPTS, "tokens of any script")]),
        "histogram": histogram(
            {"one": [0.1 * (k % 7) for k in range(40)], "two": [0.2 * (k % 4) for k in range(40)]}, "Draws", "share", bars=7
        ),
        "reliability": reliability([Bar(0.4, 0.6, 9, 0.5, 0.45), Bar(0.8, 1.0, 20, 0.9, 0.95)], "dev"),
        "scatter": scatter(
            [
                Plane("two classes", [(0.0, 0.0), (1.0, 2.0), (0.5, 1.0)], [0, 1, 1]),
                Plane("ten", WAVE, [k // 2 for k in range(20)]),
            ],
            "points",
        ),
        "values": value_map(
            ValueMap(
                [[0.58, -0.02], [math.nan, 1.0]],
                ["memory", "attention 1"],
                ["name", "last token"],
                "What comes along",
                [[(0.5, 0.6), (-0.1, 0.1)], [(0, 0), (0.9, 1.0)]],
            )
        ),
    }
    return drawn | {
        "graphs-grey": themed(drawn["graphs"], "grey"),
        "scatter-grey": themed(drawn["scatter"], "grey"),
        "heads-dark": themed(drawn["heads"], "dark"),
        "graphs-dark": themed(drawn["graphs"], "dark"),
    }
