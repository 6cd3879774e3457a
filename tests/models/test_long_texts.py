"""A long text read many stretches at a time costs what it costs token after token, and the reader stands where it would."""

import threading

import pytest
import torch

from clearhead.models import build_model, recurrent
from clearhead.models.model import LongReader, Reader, made_along
from clearhead.models.reach import fill_randomly

MODELS = {
    "gru": {"kind": "recurrent", "cell": "gru", "width": 16, "layers": 2, "context": 8, "lanes": 1},
    "lstm": {"kind": "recurrent", "cell": "lstm", "width": 16, "layers": 1, "context": 8, "lanes": 1},
    "gpt": {"kind": "gpt", "style": "modern", "width": 16, "heads": 2, "layers": 2, "context": 12, "memory": 64},
    "gpt, odd": {"kind": "gpt", "width": 16, "heads": 2, "layers": 1, "context": 7, "dropout": 0.0},
    "perceiver": {"kind": "perceiver", "width": 16, "heads": 2, "layers": 3, "context": 12, "bottleneck": 6},
    "bigram": {"kind": "bigram", "width": 8, "hidden": 8},
}


def built(name: str):
    model = build_model(MODELS[name], 11).double().eval()
    fill_randomly(model, seed=3, spread=0.3)
    return model


def logits_along(reader: Reader, text: list[int]):
    return made_along(reader, text, lambda places, logits: (places, logits))


def whole(along, n: int) -> torch.Tensor:
    """The logits of every place; what is said last holds, and nothing is left out."""
    logits = torch.full((n, 11), torch.nan, dtype=torch.float64)
    for places, some in along:
        logits[places] = some
    return logits


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("n", [1, 7, 600, 2500])
def test_the_numbers_are_those_of_token_after_token(name: str, n: int) -> None:
    model, text = built(name), torch.randint(11, (n + 40,), generator=torch.Generator().manual_seed(n)).tolist()
    plain, fast = model.reader(), model.reader()
    first, then = text[:n], text[n:]
    along = whole(logits_along(fast, first), n)
    torch.testing.assert_close(along, plain.read(first), rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(fast.read(then), plain.read(then), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_two_threads_say_what_one_says_and_leave_torch_as_it_was(cell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, text = built(cell), torch.randint(11, (3000,), generator=torch.Generator().manual_seed(1)).tolist()
    one, threads = whole(logits_along(model.reader(), text), 3000), torch.get_num_threads()
    monkeypatch.setattr(recurrent, "at_once", lambda device: 2)
    two = whole(logits_along(model.reader(), text), 3000)
    torch.testing.assert_close(two, one, rtol=1e-9, atol=1e-9)
    assert torch.get_num_threads() == threads


def test_only_stretches_that_have_not_forgotten_are_read_on(monkeypatch: pytest.MonkeyPatch) -> None:
    model, text = built("gru"), torch.randint(11, (3000,), generator=torch.Generator().manual_seed(1)).tolist()
    said = [places for places, _ in logits_along(model.reader(), text)]
    assert 3000 < sum(map(len, said)) < 1.6 * 3000
    monkeypatch.setattr(recurrent, "FORGOTTEN", -1.0)  # nothing is ever the same: all but the first stretch is read three times
    said = [places for places, _ in logits_along(model.reader(), text)]
    assert sum(map(len, said)) > 2.5 * 3000
    torch.testing.assert_close(whole(logits_along(model.reader(), text), 3000), model.reader().read(text))


def test_a_state_that_does_not_forget_is_read_token_after_token() -> None:
    model = built("gru")
    with torch.no_grad():
        for name, weight in model.cells.named_parameters():
            if name.startswith("bias"):
                weight[16:32] = 40.0  # the update gate of every unit stays shut: what was there stays there
    text = torch.randint(11, (3000,), generator=torch.Generator().manual_seed(0)).tolist()
    reader = model.reader()
    assert isinstance(reader, LongReader)
    reader.state = torch.randn_like(reader.state)
    begun = reader.state.clone()
    along = whole(logits_along(reader, text), len(text))
    again = model.reader()
    again.state = begun
    torch.testing.assert_close(along, again.read(text))


def test_whoever_stops_listening_waits_for_no_more_than_is_being_read(monkeypatch: pytest.MonkeyPatch) -> None:
    model, text = built("gru"), torch.randint(11, (3000,), generator=torch.Generator().manual_seed(1)).tolist()
    monkeypatch.setattr(recurrent, "SHORTEST_STRETCH", 1500)  # two stretches of 94 pieces
    read: list[int] = []
    step = recurrent.LaneReader.step

    def slowly(self, group, stops):
        read.append(group.at)
        threading.Event().wait(0.05)
        return step(self, group, stops)

    monkeypatch.setattr(recurrent.LaneReader, "step", slowly)
    along = logits_along(model.reader(), text)
    next(along)
    along.close()
    assert len(read) < 24


def test_a_slow_core_does_less_and_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    model, text = built("gru"), torch.randint(11, (3000,), generator=torch.Generator().manual_seed(1)).tolist()
    monkeypatch.setattr(recurrent, "at_once", lambda device: 2)
    plain = whole(logits_along(model.reader(), text), 3000)
    slow, done = threading.Lock(), {True: 0, False: 0}
    step = recurrent.LaneReader.step

    def unevenly(self, group, stops):
        held = slow.acquire(blocking=False)  # whoever comes first is the slow one, until it is through
        try:
            if held:
                threading.Event().wait(0.02)
            done[held] += 1
            return step(self, group, stops)
        finally:
            if held:
                slow.release()

    monkeypatch.setattr(recurrent.LaneReader, "step", unevenly)
    torch.testing.assert_close(whole(logits_along(model.reader(), text), 3000), plain, rtol=1e-9, atol=1e-9)
    assert done[False] > done[True] > 0


def test_a_fault_on_a_thread_is_the_listeners() -> None:
    model, text = built("gru"), torch.randint(11, (3000,), generator=torch.Generator().manual_seed(1)).tolist()

    def make(places, logits):
        raise ArithmeticError("as if")

    with pytest.raises(ArithmeticError, match="as if"):
        list(made_along(model.reader(), text, make))
