"""Compiling is optional: the same loss where it works, a note where there is no compiler."""

import copy
import shutil

import pytest
import torch

from clearhead.models import GPT, GPTConfig
from clearhead.training.steps.compilation import compiled

SIZES = {"vocab": 20, "context": 16, "layers": 1, "heads": 2, "width": 8, "memory": 10}


def test_without_a_compiler_the_run_goes_on_with_a_note(monkeypatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    notes: list[str] = []
    model = GPT(GPTConfig(**SIZES))
    assert compiled(model, notes.append) is model
    assert "compiler" in notes[0]
    assert model.loss(torch.tensor([[3, 4]]), torch.tensor([[4, 5]])).isfinite()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the compiler's own
def test_compiled_is_the_same_model() -> None:
    if not any(shutil.which(name) for name in ("g++", "clang++", "c++")):
        pytest.skip("there is no C++ compiler here")
    plain = GPT(GPTConfig(**SIZES, style="modern"))
    with torch.no_grad():
        for weight in plain.parameters():
            weight.normal_(std=0.3)
    fast = compiled(copy.deepcopy(plain), lambda text: None)
    for rows, n in ((2, 5), (3, 7)):
        tokens = torch.randint(1, 20, (rows, n), generator=torch.Generator().manual_seed(n))
        torch.testing.assert_close(fast.loss(tokens, tokens), plain.loss(tokens, tokens))
    assert fast.state_dict().keys() == plain.state_dict().keys()
