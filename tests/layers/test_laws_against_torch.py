"""Every law against torch itself: the signature, the shapes of the parameters, the count; and the page that lists them."""

import inspect
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from clearhead.layers import analyse, read_inputs
from clearhead.layers.laws import LAWS, parameters
from clearhead.layers.laws.signatures import fill
from clearhead.layers.values.refusals import Refusal

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))


@pytest.mark.parametrize("kind", [kind for kind in sorted(LAWS) if kind not in ("Identity", "NLLLoss2d")])
def test_the_arguments_are_torch_s_in_torch_s_order(kind: str) -> None:
    names = [name for name in inspect.signature(getattr(nn, kind).__init__).parameters if name != "self"]
    own = list(parameters(LAWS[kind].signature)[0])
    if names[:1] in (["args"], ["mode"]) or "args" in names:  # recurrent layers hand their arguments on
        return
    assert own[: len(names)] == [name for name in names if name != "kwargs"], kind


CASES = [
    ("nn.Linear(3, 4)", "3"),
    ("nn.Bilinear(3, 3, 4)", "3 3"),
    ("nn.Embedding(9, 4)", "5:int"),
    ("nn.EmbeddingBag(9, 4)", "5:int"),
    ("nn.Conv1d(3, 4, 2)", "3x7"),
    ("nn.ConvTranspose2d(3, 4, (2, 3), stride=2, output_padding=1)", "3x5x6"),
    ("nn.LazyConv2d(4, 3)", "3x7x8"),
    ("nn.LazyLinear(4)", "7"),
    ("nn.LazyBatchNorm2d()", "3x7x8"),
    ("nn.RMSNorm(8)", "5x8"),
    ("nn.LayerNorm([5, 8], bias=False)", "5x8"),
    ("nn.GroupNorm(2, 6)", "6x5x5"),
    ("nn.SyncBatchNorm(6).eval()", "6x5x5"),
    ("nn.LocalResponseNorm(2)", "6x5x5"),
    ("nn.PReLU(6)", "6x5x5"),
    ("nn.LSTM(4, 6, 2, bidirectional=True, proj_size=3, batch_first=True)", "5x4"),
    ("nn.GRU(4, 6, 2, bias=False, batch_first=True)", "5x4"),
    ("nn.LSTMCell(4, 6)", "4"),
    ("nn.GRUCell(4, 6, bias=False)", "4"),
    ("nn.RNNCell(4, 6)", "4"),
    ("nn.MultiheadAttention(8, 2, batch_first=True)", "5x8 5x8 5x8"),
    ("nn.MultiheadAttention(8, 2, kdim=4, vdim=6, add_bias_kv=True, batch_first=True)", "5x8 7x4 7x6"),
    ("nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)", "5x8"),
    ("nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 3, nn.LayerNorm(8))", "5x8"),
    ("nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)", "5x8 7x8"),
    ("nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, batch_first=True), 2)", "5x8 7x8"),
    ("nn.Transformer(8, 2, 2, 3, 16, batch_first=True)", "5x8 7x8"),
    ("nn.Upsample(scale_factor=2)", "3x5x6"),
    ("nn.Upsample(size=(9, 8), mode='bilinear')", "3x5x6"),
    ("nn.Upsample(scale_factor=1.5)", "3x5x7"),
    ("nn.UpsamplingBilinear2d(scale_factor=2)", "3x5x6"),
    ("nn.PixelShuffle(2)", "12x5x6"),
    ("nn.PixelUnshuffle(2)", "3x4x6"),
    ("nn.ChannelShuffle(3)", "6x4x6"),
    ("nn.Unfold((2, 3), stride=2, padding=1)", "3x8x9"),
    ("nn.Fold((8, 9), (2, 3))", "18x49"),
    ("nn.ZeroPad2d((1, 2, 3, 4))", "3x5x6"),
    ("nn.ReflectionPad2d(2)", "3x5x6"),
    ("nn.ReplicationPad1d((1, 2))", "3x5"),
    ("nn.CircularPad2d(2)", "3x5x6"),
    ("nn.ConstantPad3d(1, 0.5)", "2x3x4x5"),
    ("nn.LPPool2d(2, 3)", "3x8x9"),
    ("nn.FractionalMaxPool2d(2, output_size=3)", "3x8x9"),
    ("nn.AdaptiveMaxPool2d((3, None))", "3x8x9"),
    ("nn.CosineSimilarity()", "5 5"),
    ("nn.PairwiseDistance(keepdim=True)", "5 5"),
    ("nn.GLU()", "3x8"),
    ("nn.utils.weight_norm(nn.Conv1d(3, 4, 2))", "3x7"),
    ("nn.utils.spectral_norm(nn.Linear(3, 4))", "3"),
]


@pytest.mark.filterwarnings("ignore:LSTM with projections:UserWarning", "ignore:.*weight_norm:FutureWarning")
@pytest.mark.parametrize(("source", "wanted"), CASES)
def test_shapes_and_weights_are_torch_s(source: str, wanted: str) -> None:
    inputs = read_inputs(wanted.split())
    got = analyse(f"net = {source}", inputs)
    assert (got.broken, got.unknown) == (None, None)
    torch.manual_seed(0)
    net = eval(source, {"nn": nn})
    tensors = [torch.zeros(3, *each.sizes, dtype=torch.long if each.whole else torch.float32) for each in inputs]
    output = net(*tensors)
    first = output[0] if isinstance(output, tuple) else output
    ours = got.output[0] if isinstance(got.output, tuple) else got.output
    assert [size if size < 2**40 else 3 for size in ours.shape] == list(first.shape)
    assert got.weights == sum(each.numel() for each in net.parameters())


@pytest.mark.parametrize("source", [source for source, _ in CASES if source.count("nn.") == 1 and "Lazy" not in source])
def test_the_shapes_of_the_parameters_are_torch_s(source: str) -> None:
    kind = source.removeprefix("nn.").partition("(")[0]
    net: Any = eval(source, {"nn": nn})
    got = analyse(f"net = {source}", read_inputs(["3"])).net.module
    if got.kind != kind or not LAWS[kind].shapes(got.arguments):
        return
    ours = {name: shape for name, shape in LAWS[kind].shapes(got.arguments).items() if shape is not None}
    assert ours == {name: tuple(each.shape) for name, each in net.named_parameters()}


def test_the_page_of_layers_is_what_the_laws_say() -> None:
    import torch_layers

    assert (ROOT / "docs" / "torch-layers.md").read_text(encoding="utf-8") == torch_layers.text()


def test_a_class_that_the_page_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch_layers

    class Surprise(nn.Module):
        pass

    monkeypatch.setattr(nn, "Surprise", Surprise, raising=False)
    with pytest.raises(SystemExit, match="Surprise"):
        torch_layers.text()


def test_an_argument_that_torch_lacks_is_refused() -> None:
    with pytest.raises(Refusal, match="has no argument strid; did you mean stride"):
        fill("Conv2d", LAWS["Conv2d"].signature, [1, 1, 1], {"strid": 2})
