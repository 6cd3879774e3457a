"""What each design of the Perceiver can see: measured by changing one token after the other."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from clearhead.lab.claim import Finding, Trial
from clearhead.models import build_model
from clearhead.models.reach import fill_randomly, influence
from clearhead.pictures import Panel, heatmap

QUICK = "24 tokens and 8 latents instead of the course's 128 and 32"
VOCAB, TOUCHED = 13, 1e-7
SMALL = {"layers": 3, "heads": 2, "width": 8}
DESIGNS: dict[str, dict[str, Any]] = {
    "gpt": {"kind": "gpt"},
    "course": {"kind": "perceiver", "variant": "perceiver"},
    "causal": {"kind": "perceiver", "variant": "perceiver-causal"},
}


def experiment(trial: Trial, designs: Mapping[str, dict[str, Any]] = DESIGNS) -> Finding:
    n, m = (24, 8) if trial.quick else (128, 32)
    seen = {name: sight(settings, n, m, trial.seed) for name, settings in designs.items()}
    earlier = torch.ones(n, n, dtype=torch.bool).tril()
    leaks = {name: int((found & ~earlier).sum()) for name, found in seen.items()}
    last = {name: int(found[-1].sum()) for name, found in seen.items()}
    blind = {name: unseen(found) for name, found in seen.items()}
    widths = (n // 4, n // 2, n)
    by_width = [unseen(sight(designs["course"], n, width, trial.seed)) for width in widths]
    on_paper = [course_blindness(n, width) for width in widths]
    differing = int((seen["course"] != reachable(n, m)).sum())
    titles = {"gpt": "GPT", "course": f"the course's, m = {m}", "causal": f"causal, m = {m}"}
    return Finding(
        {
            "tokens and latents": [n, m],
            "tokens that the last place sees: GPT, course, causal": [last[name] for name in titles],
            "places that see a later token": [leaks[name] for name in titles],
            "share of earlier tokens that are not seen": [blind[name] for name in titles],
            "the course's: pairs of places where that differs from the product of its masks": differing,
            "the course's with these many latents": list(widths),
            "share of earlier tokens it does not see": by_width,
            "by the count (n−m)(n−m−1) / n(n+1)": on_paper,
        },
        {
            "no design leaks": not any(leaks.values()),
            "the course's is blind: the last place sees the first m and itself": last["course"] == m + 1,
            "that is what its masks allow, place by place": differing == 0,
            "only as many latents as tokens would mend it": by_width == on_paper and by_width[-1] == 0 < min(by_width[:-1]),
            "the causal one sees every earlier token, as a GPT does": blind["causal"] == blind["gpt"] == 0,
        },
        heatmap([Panel(seen[name].double().tolist(), title=title) for name, title in titles.items()]),
    )


def sight(settings: dict[str, Any], n: int, m: int, seed: int) -> Tensor:
    """Which token (column) moves the logits at which place (row), with random weights: (n, n) of booleans."""
    waist = {"bottleneck": m} if settings["kind"] == "perceiver" else {}
    model: Any = build_model({"context": n, **SMALL, **waist, **settings}, VOCAB).double().eval()
    fill_randomly(model, seed)
    return influence(model, n, seed) > TOUCHED


def unseen(seen: Tensor) -> float:
    """The share of pairs, a place and one no later, of which nothing is seen."""
    earlier = torch.ones_like(seen).tril()
    return int((earlier & ~seen).sum()) / int(earlier.sum())


def reachable(n: int, m: int) -> Tensor:
    """What the course's masks let through: tokens into m latents, latents among themselves, and back; and each token itself."""
    down, among, up = (torch.ones(shape).tril() for shape in ((m, n), (m, m), (n, m)))  # latent i stands at place i
    return (up @ among @ down + torch.eye(n)) > 0  # (n, n)


def course_blindness(n: int, m: int) -> float:
    """Place t sees the first m and itself, so t − m − 1 earlier ones are lost to it: (n − m)(n − m − 1)/2 of n(n + 1)/2."""
    return (n - m) * (n - m - 1) / (n * (n + 1))
