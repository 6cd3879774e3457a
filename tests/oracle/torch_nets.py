"""Random nets as source text, and what torch itself says of them. Imports nothing of the package under test.

A net must work for every batch size: it is run with two different ones, and breaks where either run breaks.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import torch
from hypothesis import strategies as st
from torch import nn

BATCHES = (7, 11)  # primes that no size below is a multiple of, so that N cannot be mistaken for another size


@dataclass(frozen=True)
class Verdict:
    """What torch says: shapes after each layer that works, weights, and the place of the first break."""

    shapes: list[tuple[int, ...]]
    weights: int | None  # None where the net cannot be made
    break_at: int | None  # the number of the layer, counted from 0
    made: bool


@dataclass(frozen=True)
class Net:
    layers: list[str]
    input: str  # as it is written for --input, with N in its place
    whole: bool
    verdict: Verdict

    @property
    def source(self) -> str:
        """One layer a line; layer k stands on line k + 3."""
        return "from torch import nn\nnet = nn.Sequential(\n" + "".join(f"    {layer},\n" for layer in self.layers) + ")\n"


def make(text: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(text, {"nn": nn, "torch": torch})


def run(module: Any, value: Any) -> Any:
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        return module(value)


def first_of(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) else value


def named(draw: st.DrawFn, values: dict[str, Any], required: int) -> str:
    """Arguments as source text: the first ones by position, the others by keyword."""
    place = draw(st.integers(0, required))
    words = [repr(v) if i < place else f"{k}={v!r}" for i, (k, v) in enumerate(values.items())]
    return ", ".join(words)


def some(draw: st.DrawFn, options: dict[str, st.SearchStrategy[Any]]) -> dict[str, Any]:
    """A few of the optional arguments."""
    chosen = draw(st.lists(st.sampled_from(sorted(options)), unique=True, max_size=3)) if options else []
    return {name: draw(options[name]) for name in chosen}


def near(draw: st.DrawFn, right: int) -> int:
    """Mostly the number that fits; sometimes one that does not."""
    return right if draw(st.integers(0, 11)) else draw(st.integers(1, 9))


def numbers(low: int, high: int, axes: int) -> st.SearchStrategy[Any]:
    one = st.integers(low, high)
    return st.one_of(one, one, st.tuples(*[one] * axes))


def small(n: int) -> int:
    return min(abs(n), 400)


@st.composite
def a_layer(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    """A layer that often fits a tensor of this shape."""
    axes = len(shape)
    kinds = ["activation", "linear", "flatten", "layernorm", "dropout", "softmax", "unflatten", "groupnorm"]
    kinds += ["conv", "transposed", "max", "average", "adaptive", "batchnorm", "instancenorm"] * (3 if axes >= 3 else 1)
    kinds += ["recurrent", "encoder"] * (1 if axes in (2, 3) else 0) + ["prelu", "embedding", "attention"]
    kind = draw(st.sampled_from(kinds))
    return globals()[f"draw_{kind}"](draw, shape)


def dims(draw: st.DrawFn, shape: tuple[int, ...]) -> int:
    fitting = [n for n in (len(shape) - 2, len(shape) - 1) if 1 <= n <= 3] or [1, 2, 3]
    return draw(st.sampled_from(fitting + fitting[:1] * 4)) if draw(st.integers(0, 15)) else draw(st.integers(1, 3))


def channels_of(shape: tuple[int, ...], axes: int) -> int:
    return shape[-axes - 1] if len(shape) > axes else shape[0] if shape else 1


def draw_conv(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    n = dims(draw, shape)
    groups = draw(st.sampled_from([1, 1, 1, 2, 3]))
    inputs = near(draw, small(channels_of(shape, n)))
    outputs = draw(st.integers(1, 4)) * (groups if draw(st.integers(0, 9)) else 1)
    values = {"in_channels": inputs, "out_channels": outputs, "kernel_size": draw(numbers(1, 4, n))}
    optional = {
        "stride": numbers(1, 3, n),
        "padding": st.one_of(numbers(0, 3, n), st.sampled_from(["same", "valid"])),
        "dilation": numbers(1, 3, n),
        "bias": st.booleans(),
        "padding_mode": st.sampled_from(["zeros", "reflect", "replicate", "circular"]),
    }
    if draw(st.integers(0, 30)) == 0:
        optional = {"stride": numbers(-1, 1, n), "padding": numbers(-1, 1, n), "dilation": numbers(0, 1, n)}
    values |= some(draw, optional)
    if groups > 1:
        values["groups"] = groups
    return f"nn.Conv{n}d({named(draw, values, 3)})"


def draw_transposed(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    n = dims(draw, shape)
    inputs = near(draw, small(channels_of(shape, n)))
    groups = draw(st.sampled_from([1, 1, 1, 2]))
    values = {"in_channels": inputs, "out_channels": draw(st.integers(1, 3)) * groups, "kernel_size": draw(numbers(1, 3, n))}
    values |= some(
        draw,
        {
            "stride": numbers(1, 3, n),
            "padding": numbers(0, 2, n),
            "output_padding": numbers(0, 2, n),
            "dilation": numbers(1, 2, n),
            "bias": st.booleans(),
        },
    )
    if groups > 1:
        values["groups"] = groups
    return f"nn.ConvTranspose{n}d({named(draw, values, 3)})"


def draw_max(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    n = dims(draw, shape)
    values = {"kernel_size": draw(numbers(1, 4, n))}
    optional: dict[str, st.SearchStrategy[Any]] = {
        "stride": st.one_of(st.none(), numbers(1, 4, n)),
        "padding": numbers(0, 2, n),
        "dilation": numbers(1, 2, n),
        "ceil_mode": st.booleans(),
    }
    if draw(st.integers(0, 20)) == 0:
        optional = {"return_indices": st.booleans(), "stride": numbers(0, 1, n), "padding": numbers(-1, 0, n)}
    return f"nn.MaxPool{n}d({named(draw, values | some(draw, optional), 1)})"


def draw_average(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    n = dims(draw, shape)
    values = {"kernel_size": draw(numbers(1, 4, n))}
    optional: dict[str, st.SearchStrategy[Any]] = {
        "stride": st.one_of(st.none(), numbers(1, 4, n)),
        "padding": numbers(0, 2, n),
        "ceil_mode": st.booleans(),
        "count_include_pad": st.booleans(),
        "divisor_override": st.sampled_from([None, 2]),
    }
    return f"nn.AvgPool{n}d({named(draw, values | some(draw, optional), 1)})"


def draw_adaptive(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    n = dims(draw, shape)
    size = st.one_of(st.none(), st.integers(1, 5))
    output = draw(st.one_of(st.integers(1, 5), st.tuples(*[size] * n)))
    return f"nn.Adaptive{draw(st.sampled_from(['Avg', 'Max']))}Pool{n}d({output!r})"


def draw_linear(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    values = {"in_features": near(draw, small(shape[-1]) if shape else 1), "out_features": draw(st.integers(1, 8))}
    return f"nn.Linear({named(draw, values | some(draw, {'bias': st.booleans()}), 2)})"


def draw_embedding(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    values = {"num_embeddings": draw(st.integers(1, 9)), "embedding_dim": draw(st.integers(1, 6))}
    return f"nn.Embedding({named(draw, values | some(draw, {'padding_idx': st.integers(-3, 3)}), 2)})"


def draw_flatten(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    choices = ["", "", "", "2", "1, 2", "-2", "start_dim=1, end_dim=-2", "0", "end_dim=1", "3", "2, 1", "0, -1"]
    return f"nn.Flatten({draw(st.sampled_from(choices))})"


def draw_unflatten(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    place = draw(st.integers(-3, 3))
    size = small(shape[place]) if -len(shape) <= place < len(shape) else 6
    divisors = [n for n in range(1, size + 1) if size % n == 0] or [1]
    first = draw(st.sampled_from(divisors))
    sizes = draw(st.sampled_from([(first, size // first), (first, -1), (-1, first), (first, 2), (-1, -1), (size,)]))
    return f"nn.Unflatten({place}, {sizes})"


def draw_batchnorm(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    n = draw(st.sampled_from([max(1, min(3, len(shape) - 2))] * 6 + [1, 2, 3]))
    values = {"num_features": near(draw, small(shape[1]) if len(shape) > 1 else 1)}
    optional = {"affine": st.booleans(), "track_running_stats": st.booleans(), "eps": st.just(0.01)}
    return f"nn.BatchNorm{n}d({named(draw, values | some(draw, optional), 1)})"


def draw_instancenorm(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    n = dims(draw, shape)
    values = {"num_features": near(draw, small(channels_of(shape, n)))}
    optional = {"affine": st.booleans(), "track_running_stats": st.booleans()}
    return f"nn.InstanceNorm{n}d({named(draw, values | some(draw, optional), 1)})"


def draw_layernorm(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    count = draw(st.integers(1, 3))
    last = tuple(near(draw, small(size)) for size in shape[-count:]) or (3,)
    given = last[0] if len(last) == 1 and draw(st.booleans()) else draw(st.sampled_from([last, list(last)]))
    optional = {"elementwise_affine": st.booleans(), "bias": st.booleans()}
    return f"nn.LayerNorm({named(draw, {'normalized_shape': given} | some(draw, optional), 1)})"


def draw_groupnorm(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    channels = near(draw, small(shape[1]) if len(shape) > 1 else 4)
    divisors = [n for n in range(1, channels + 1) if channels % n == 0] or [1]
    values = {"num_groups": near(draw, draw(st.sampled_from(divisors))), "num_channels": channels}
    return f"nn.GroupNorm({named(draw, values | some(draw, {'affine': st.booleans()}), 2)})"


def draw_activation(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    plain = "ReLU ReLU6 LeakyReLU RReLU ELU SELU CELU SiLU Mish Hardswish Hardsigmoid Sigmoid LogSigmoid Tanh Tanhshrink"
    plain += " Softsign Softplus Softshrink Hardshrink GELU Hardtanh Identity"
    special = ["nn.GLU()", "nn.GLU(1)", "nn.Threshold(0.1, 20)", "nn.Softmax2d()", "nn.GELU(approximate='tanh')"]
    return draw(st.sampled_from([f"nn.{name}()" for name in plain.split()] + special))


def draw_prelu(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    return f"nn.PReLU({near(draw, small(shape[1]) if len(shape) > 1 and draw(st.booleans()) else 1)})"


def draw_dropout(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    kind = draw(st.sampled_from(["Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout"]))
    return f"nn.{kind}({draw(st.sampled_from(['', '0.2', 'p=0.0', 'p=1.5']))})"


def draw_softmax(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    return f"nn.{draw(st.sampled_from(['Softmax', 'LogSoftmax', 'Softmin']))}(dim={draw(st.integers(-3, 2))})"


def draw_recurrent(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    kind = draw(st.sampled_from(["RNN", "LSTM", "GRU"]))
    values = {"input_size": near(draw, small(shape[-1])), "hidden_size": draw(st.integers(1, 5))}
    optional: dict[str, st.SearchStrategy[Any]] = {
        "num_layers": st.integers(1, 3),
        "bias": st.booleans(),
        "batch_first": st.booleans(),
        "bidirectional": st.booleans(),
    }
    if kind == "LSTM" or draw(st.integers(0, 9)) == 0:
        optional["proj_size"] = st.integers(0, 3)
    if kind == "RNN":
        optional["nonlinearity"] = st.sampled_from(["tanh", "relu"])
    return f"nn.{kind}({named(draw, values | some(draw, optional), 2)})"


def draw_encoder(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    values = {"d_model": near(draw, small(shape[-1])), "nhead": draw(st.sampled_from([1, 1, 2, 3]))}
    values["dim_feedforward"] = draw(st.integers(1, 9))
    optional = {"batch_first": st.booleans(), "norm_first": st.booleans(), "bias": st.booleans()}
    optional["activation"] = st.sampled_from(["relu", "gelu"])  # type: ignore[assignment]
    return f"nn.TransformerEncoderLayer({named(draw, values | some(draw, optional), 3)})"


def draw_attention(draw: st.DrawFn, shape: tuple[int, ...]) -> str:
    return f"nn.MultiheadAttention({draw(st.integers(1, 6))}, 1)"  # in a Sequential it has no keys: it must break


@st.composite
def nets(draw: st.DrawFn, longest: int = 7) -> Net:
    """A Sequential of random layers, each drawn to fit (mostly) what torch made of the ones before it."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=draw(st.sampled_from([1, 1, 2, 3, 3, 4])), max_size=4))
    sizes = [size if place == 0 else draw(st.sampled_from([size, size + 6])) for place, size in enumerate(sizes)]
    place = draw(st.sampled_from([0, 0, 0, 0, 0, 1]))
    whole = draw(st.integers(0, 7)) == 0
    values: list[Any] = []
    for batch in BATCHES:
        full = [*sizes[:place], batch, *sizes[place:]]
        values.append(torch.zeros(full, dtype=torch.long) if whole else torch.randn(full))
    layers: list[str] = []
    shapes: list[tuple[int, ...]] = []
    weights: int | None = 0
    break_at, made = None, True
    for number in range(draw(st.integers(1, longest))):
        now = first_of(values[0])
        shape = tuple(now.shape) if isinstance(now, torch.Tensor) else (2, 3)
        first_embedding = whole and number == 0 and draw(st.integers(0, 9))
        layer = draw_embedding(draw, shape) if first_embedding else draw(a_layer(shape))
        layers.append(layer)
        try:
            module = make(layer)
        except Exception:  # torch refuses in many ways; any of them is a break
            weights, break_at, made = None, number, False
            break
        assert weights is not None
        weights += sum(parameter.numel() for parameter in module.parameters())
        if break_at is not None:
            continue
        try:
            after = [run(module, value) for value in values]
        except Exception:
            break_at = number
            continue
        values = after
        shapes.append(symbolic([tuple(first_of(value).shape) for value in after]))
        numbers_held = sum(first_of(value).numel() for value in after)
        if numbers_held > 200_000 or numbers_held == 0:
            break
    text = "x".join(str(size) for size in [*sizes[:place], "N", *sizes[place:]])
    return Net(layers, text, whole, Verdict(shapes, weights, break_at, made))


def symbolic(pair: list[tuple[int, ...]]) -> tuple[Any, ...]:
    """Two shapes for two batch sizes as one: a size that grows with the batch is written a·N + b."""
    one, other = pair
    sizes: list[Any] = []
    for a, b in zip(one, other, strict=True):
        slope, rest = divmod(b - a, BATCHES[1] - BATCHES[0])
        sizes.append(a if a == b else (slope, a - slope * BATCHES[0], rest))
    return tuple(sizes)
