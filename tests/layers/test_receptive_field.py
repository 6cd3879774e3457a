"""Receptive fields: worked on paper, and against torch's gradients of one output."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import nn

from clearhead.layers import analyse, read_input
from oracle import receptive


def field(source: str, wanted: str) -> str:
    return str(analyse(f"net = {source}", read_input(wanted)).rows[-1].field)


def test_worked_on_paper() -> None:
    two = "nn.Sequential(nn.Conv2d(1, 8, 5), nn.AvgPool2d(4), nn.Conv2d(8, 16, 4, padding=1), nn.AvgPool2d(2))"
    assert field(two, "1x32x32") == "24×24"  # 5, then 5 + 3·1 = 8 and jump 4, then 8 + 3·4 = 20, then 20 + 1·4 = 24
    assert field("nn.Conv2d(1, 1, (3, 5), stride=(1, 3))", "1x128x128") == "3×5"
    assert field("nn.Sequential(nn.Conv1d(1, 1, 3, dilation=4), nn.Conv1d(1, 1, 3))", "1x50") == "11"  # 9, then 9 + 2
    assert field("nn.Sequential(nn.Conv1d(1, 1, 3), nn.Flatten(), nn.Linear(8, 2))", "1x10") == "all"
    assert field("nn.Linear(8, 2)", "8") == "all"


def test_a_layer_that_is_not_followed_leaves_the_field_open() -> None:
    assert field("nn.Sequential(nn.Conv1d(1, 1, 3), nn.AdaptiveAvgPool1d(3))", "1x10") == "–"  # windows of unequal length


def window(transposed: bool) -> st.SearchStrategy[str]:
    sizes = {"kernel_size": st.integers(1, 4), "stride": st.integers(1, 3), "padding": st.integers(0, 1)}
    if not transposed:
        sizes["dilation"] = st.integers(1, 3)
    names = st.fixed_dictionaries(sizes)
    kind = "nn.ConvTranspose1d(1, 1, " if transposed else "nn.Conv1d(1, 1, "
    return names.map(lambda chosen: kind + ", ".join(f"{name}={value}" for name, value in chosen.items()) + ")")


POOL = st.tuples(st.integers(1, 3), st.integers(1, 3)).map(lambda pair: f"nn.AvgPool1d({pair[0]}, {pair[1]})")
CHAINS = st.lists(st.one_of(window(False), window(False), POOL, window(True)), min_size=1, max_size=4)


@given(CHAINS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_chains_agree_with_gradients(layers: list[str]) -> None:
    source = f"nn.Sequential({', '.join(layers)})"
    got = analyse(f"net = {source}", read_input("1x601"))
    assert got.broken is None
    assert got.rows[-1].field.sizes() == (receptive.extent(eval(source, {"nn": nn})),)


class Residual(nn.Module):
    def __init__(self, path: list[str]) -> None:
        super().__init__()
        self.path = nn.Sequential(*[eval(layer, {"nn": nn}) for layer in path])

    def forward(self, x):  # type: ignore[no-untyped-def]
        return self.path(x) + x


RESIDUAL = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.path = nn.Sequential({})
    def forward(self, x):
        return self.path(x) + x
"""


@given(st.lists(st.integers(0, 2).map(lambda h: f"nn.Conv1d(1, 1, {2 * h + 1}, padding={h})"), min_size=1, max_size=3))
@settings(max_examples=20, deadline=None)
def test_a_sum_sees_what_either_sees(path: list[str]) -> None:
    got = analyse(RESIDUAL.format(", ".join(path)), read_input("1x601"))
    assert got.rows[-1].field.sizes() == (receptive.extent(Residual(path)),)


def test_upsampling_beside_a_shortcut_agrees_with_gradients() -> None:
    """The U of a U-Net: down, up, and a sum with what came before."""
    path = ["nn.Conv1d(1, 1, 3, padding=1)", "nn.AvgPool1d(2)", "nn.Conv1d(1, 1, 3, padding=1)"]
    path += ["nn.ConvTranspose1d(1, 1, 2, stride=2)", "nn.Conv1d(1, 1, 3, padding=1)"]
    got = analyse(RESIDUAL.format(", ".join(path)), read_input("1x600"))
    assert got.rows[-1].field.sizes() == (receptive.extent(Residual(path), 600),)


def test_the_oracle_rejects_a_wrong_field() -> None:
    assert receptive.extent(nn.Sequential(nn.Conv1d(1, 1, 3), nn.Conv1d(1, 1, 3))) != 6  # 3 + 3, as one might guess
