"""What halving the length saves: of attention alone, of a whole model, and with a bottleneck in the middle."""

import timeit
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

from clearhead.attention import attend
from clearhead.lab.claim import Finding, Trial
from clearhead.models import build_model
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "sizes up to 256 tokens instead of 1,024"
WIDTH, HEADS, LAYERS, VOCAB = 32, 2, 4, 16
COURSE = {"width": 256, "tokens": 128}
CLAIMED = 0.75


def attention_alone(n: int) -> Callable[[], object]:
    """Scores and mixing for n tokens, with the mask read in full."""
    x = torch.randn(1, HEADS, n, WIDTH // HEADS)
    return lambda: attend(x, x, x)


def model_of(settings: dict[str, Any]) -> Callable[[int], Callable[[], object]]:
    """A whole model over n tokens, with its attention worked out in full."""

    def build(n: int) -> Callable[[], object]:
        waist = {"bottleneck": n // 2} if settings["kind"] == "perceiver" else {}
        sizes = {"context": n, "width": WIDTH, "heads": HEADS, "layers": LAYERS}
        model: Any = build_model({**sizes, **waist, **settings}, VOCAB).eval().requires_grad_(False)
        tokens = torch.zeros(1, n, dtype=torch.long)
        return lambda: model.trace(tokens)

    return build


PROGRAMS: dict[str, Callable[[int], Callable[[], object]]] = {
    "attention alone": attention_alone,
    "a GPT": model_of({"kind": "gpt"}),
    "a Perceiver, m = n/2": model_of({"kind": "perceiver", "variant": "perceiver"}),
}


def experiment(trial: Trial, programs: Mapping[str, Callable[[int], Callable[[], object]]] = PROGRAMS) -> Finding:
    lengths = (32, 64, 128, 256) if trial.quick else (32, 64, 128, 256, 512, 1024)
    counted = {name: {n: counts(program(n)) for n in lengths} for name, program in programs.items()}
    saved = {name: [1 - found[n // 2] / found[n] for n in lengths[1:]] for name, found in counted.items()}
    # a GPT's cost is a·n + b·n²: two counts give a and b, the others check them
    costs, (first, *_, last) = counted["a GPT"], lengths
    b = (costs[last] / last - costs[first] / first) / (last - first)
    a = costs[first] / first - b * first
    off = max(abs(a * n + b * n**2 - costs[n]) / costs[n] for n in lengths)
    enough = 4 * a / b  # 1 − (a/2 + bn/4)/(a + bn) ≥ 0.7 from n = 4a/b on; never 0.75 itself
    course = saving(a * (COURSE["width"] / WIDTH) ** 2, b * COURSE["width"] / WIDTH, COURSE["tokens"])
    waist = [1 - counted["a Perceiver, m = n/2"][n] / costs[n] for n in lengths]
    alone, whole, narrow = ({n: timed(program(n)) for n in lengths} for program in programs.values())
    return Finding(
        {
            "tokens": list(lengths[1:]),
            "multiplications saved by half the length: attention alone": saved["attention alone"],
            "a GPT of width 32": saved["a GPT"],
            "a·n + b·n² against the counts, at most off": off,
            "a GPT at the course's 128 tokens and width 256": course,
            "tokens for a saving of 70 %, in widths": enough / WIDTH,
            "what a bottleneck of half the length saves a GPT of 4 layers": waist,
            "time saved by half the length (this machine): attention alone": [
                1 - alone[n // 2] / alone[n] for n in lengths[1:]
            ],
            "a GPT": [1 - whole[n // 2] / whole[n] for n in lengths[1:]],
            "time saved by a bottleneck of half the length": [1 - narrow[n] / whole[n] for n in lengths],
        },
        {
            "attention alone costs a quarter at half the length": all(
                abs(each - CLAIMED) < 0.01 for each in saved["attention alone"]
            ),
            "a whole GPT's cost is a·n + b·n²": off < 0.01,
        },
        graphs(
            [
                Graph(
                    "Multiplications saved by half the length",
                    Axis("tokens", logarithmic=True),
                    Axis("share saved"),
                    [Trace(name, list(zip(lengths[1:], saved[name], strict=True))) for name in ("attention alone", "a GPT")]
                    + [Trace("a GPT, with a bottleneck of n/2 instead", list(zip(lengths, waist, strict=True)))],
                )
            ]
        ),
        when="" if course > 0.7 else condition(enough / WIDTH, course),
    )


def condition(widths: float, course: float) -> str:
    from_there = f"attention is nearly all of it: from {widths:.0f} widths of tokens on"
    return f"{from_there}; the course's model saves {course:.0%} at half the length"


def saving(a: float, b: float, n: float) -> float:
    """1 − cost(n/2)/cost(n) for cost(n) = a·n + b·n²."""
    return 1 - (a / 2 + b * n / 4) / (a + b * n)


@torch.no_grad()
def counts(program: Callable[[], object]) -> int:
    """Multiplications and additions in matrix products, as torch counts them."""
    counter = FlopCounterMode(display=False)
    with counter:
        program()
    return int(counter.get_total_flops())


@torch.no_grad()
def timed(program: Callable[[], object]) -> float:
    """The best of five, in seconds."""
    return min(timeit.repeat(program, number=1, repeat=5))
