"""Every language model sees what it declares, all of it and nothing else; on random weights, since zeros would hide it."""

import importlib.util
from dataclasses import fields
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.attention import attend
from clearhead.masks import causal
from clearhead.models import MODELS, build_model
from clearhead.models.model import LanguageModel
from clearhead.models.reach import fill_randomly, influence

SMALL = {"context": 23, "lanes": 1, "bottleneck": 5, "layers": 3, "heads": 2, "width": 8, "dropout": 0.0}
CASES = [
    {"kind": "gpt", "style": "course"},
    {"kind": "gpt", "style": "modern", "memory": 9973},
    {"kind": "perceiver", "style": "course", "bottleneck": 6},
    {"kind": "perceiver", "style": "modern", "bottleneck": 6},
    {"kind": "perceiver", "style": "modern", "bottleneck": 6, "memory": 9973},
    {"kind": "perceiver", "style": "course", "bottleneck": 6, "variant": "perceiver-causal"},
    {"kind": "perceiver", "style": "modern", "bottleneck": 6, "variant": "perceiver-causal"},
    {"kind": "perceiver", "style": "modern", "bottleneck": 23, "variant": "perceiver-causal"},
    {"kind": "perceiver", "style": "modern", "bottleneck": 6, "variant": "perceiver-causal", "window": 9},
    {"kind": "perceiver", "style": "modern", "bottleneck": 1, "variant": "perceiver-causal", "memory": 9973},
    {"kind": "perceiver", "style": "modern", "bottleneck": 6, "variant": "perceiver-causal", "layers": 2},
]
TOUCHED, UNTOUCHED = 1e-7, 1e-12  # what moves does so by far more than rounding, and what does not, not at all


def built(case: dict, seed: int = 0):
    known = {each.name for each in fields(MODELS[case["kind"]][0])}
    model = build_model({**{key: size for key, size in SMALL.items() if key in known}, **case}, vocab=13).double().eval()
    fill_randomly(model, seed)
    return model


def faults(model, n: int, declared: torch.Tensor) -> list[str]:
    """Leaks and blind spots: places where what moves the logits is not what is declared."""
    moved = influence(model, n, seed=n)
    leaks, blind = (moved > UNTOUCHED) & ~declared, (moved < TOUCHED) & declared
    return [f"{kind}: {where}" for kind, table in (("leak", leaks), ("blind", blind)) for where in table.nonzero().tolist()]


@pytest.mark.parametrize("kind", sorted(kind for kind, (_, model) in MODELS.items() if issubclass(model, LanguageModel)))
def test_every_language_model_of_the_table_sees_what_it_declares(kind: str) -> None:
    model = built({"kind": kind})
    assert faults(model, 11, model.sight(11)) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(str(value) for value in case.values()))
@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 12, 23])
def test_no_leak_and_no_blindness_at_any_length(case: dict, n: int) -> None:
    model = built(case, seed=n)
    assert faults(model, n, model.sight(n)) == []


@settings(deadline=None, max_examples=25)
@given(context=st.integers(1, 20), share=st.floats(0, 1), variant=st.sampled_from(["perceiver", "perceiver-causal"]))
def test_every_waist_sees_what_it_declares(context: int, share: float, variant: str) -> None:
    waist = max(1, round(share * context))
    model = built({"kind": "perceiver", "variant": variant, "context": context, "bottleneck": waist, "style": "modern"})
    assert faults(model, context, model.sight(context)) == []


def test_what_is_declared() -> None:
    assert torch.equal(built({"kind": "gpt"}).sight(9), causal(9))
    assert torch.equal(built({"kind": "perceiver", "variant": "perceiver-causal", "bottleneck": 3}).sight(9), causal(9))
    course = built({"kind": "perceiver", "bottleneck": 3}).sight(6)
    assert ["".join(".x"[int(cell)] for cell in row) for row in course] == [
        "x.....",
        "xx....",
        "xxx...",
        "xxxx..",
        "xxx.x.",
        "xxx..x",
    ]


def test_the_course_sees_33_of_128_with_32_latents() -> None:
    model = build_model({"kind": "perceiver", "bottleneck": 32, "layers": 2, "heads": 1, "width": 8}, vocab=13).double().eval()
    fill_randomly(model, 1)
    assert int((influence(model, 128, seed=1)[127] > TOUCHED).sum()) == int(model.sight(128)[127].sum()) == 33


def test_blindness_is_found() -> None:
    """The course's masks, declared as if they saw everything."""
    found = faults(built({"kind": "perceiver", "bottleneck": 3}), 6, causal(6))
    assert found == ["blind: [4, 3]", "blind: [5, 3]", "blind: [5, 4]"]


@pytest.mark.parametrize("variant", ["perceiver", "perceiver-causal"])
def test_a_leak_is_found(variant: str) -> None:
    model = built({"kind": "perceiver", "variant": variant, "bottleneck": 6})
    leaking = model.states

    def all_seeing(q, k, v, mask):
        return attend(q, k, v).output

    model.states = lambda tokens, attending=None, cache=None, **rest: leaking(tokens, all_seeing, cache, **rest)
    assert any(fault.startswith("leak") for fault in faults(model, 12, model.sight(12)))


def test_weights_at_zero_would_hide_it() -> None:
    """Why the weights are random: as a modern model starts, nothing moves anything."""
    model = build_model({"kind": "gpt", "style": "modern", "context": 23, "width": 8, "heads": 2}, vocab=13).double().eval()
    assert influence(model, 5, seed=0).abs().max() == 0


def test_the_committed_pictures_are_what_is_measured() -> None:
    top = Path(__file__).parents[2]
    spec = importlib.util.spec_from_file_location("reachability", top / "tools" / "reachability.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    for name in tool.SHOWN:
        assert (tool.FOLDER / f"{name}.svg").read_text(encoding="utf-8") == tool.picture(name), f"draw it again: {tool.__doc__}"
