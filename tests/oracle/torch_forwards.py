"""Random modules with a straight-line forward, as source text, and what torch itself says of them.

The statements are drawn one by one, each to fit (mostly) what torch made of the ones before it, and run at once with two
batch sizes. Imports nothing of the package under test.
"""

import types
import warnings
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from hypothesis import strategies as st

from oracle.torch_nets import BATCHES, a_layer, make, named, small, some, symbolic


@dataclass(frozen=True)
class Forward:
    source: str
    input: str
    output: Any  # shape, or None where it breaks or is no tensor
    weights: int | None
    break_line: int | None
    not_a_multiple: bool  # a size hung on the batch in some other way than a·N + b


def assemble(makes: list[str], steps: list[str]) -> str:
    head = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\nclass Net(nn.Module):\n"
    init = "    def __init__(self):\n        super().__init__()\n" + "".join(f"        {line}\n" for line in makes)
    body = "".join(f"        {line}\n" for line in steps)
    return f"{head}{init}    def forward(self, x):\n        y = x\n{body}        return x\n"


def divisors(n: int) -> list[int]:
    return [k for k in range(1, min(n, 400) + 1) if n % k == 0] or [1]


@st.composite
def a_step(draw: st.DrawFn, shape: tuple[int, ...], other: tuple[int, ...]) -> str:
    """A statement that turns x (and sometimes y) into x."""
    axes = len(shape)
    axis = st.integers(-axes - (draw(st.integers(0, 15)) == 0), max(axes - 1, 0)) if axes else st.just(0)
    rest = 1
    for size in shape[1:]:
        rest *= size
    part = draw(st.sampled_from(divisors(max(rest, 1))))
    wrong = rest + 1
    order = draw(st.permutations(range(axes))) if axes else []
    second = shape[1] if axes > 1 else 1
    choices = [
        "x = F.relu(x)",
        "x = torch.sigmoid(x)",
        "x = x.tanh()",
        f"x = torch.softmax(x, dim={draw(axis)})",
        "x = F.dropout(x, 0.5, self.training)",
        f"x = torch.flatten(x, {draw(st.integers(0, 2))})",
        f"x = x.flatten({draw(st.integers(0, 2))})",
        "x = x.view(x.size(0), -1)",
        "x = x.view(x.shape[0], -1)",
        f"x = x.view(-1, {draw(st.sampled_from([rest, rest, part, wrong]))})",
        f"x = x.reshape(x.shape[0], {part}, -1)",
        f"x = x.reshape(-1, {part}, {max(rest, 1) // part})",
        f"x = x.permute({', '.join(map(str, order))})",
        f"x = x.transpose({draw(axis)}, {draw(axis)})",
        f"x = x.transpose({draw(axis)}, {draw(axis)}).contiguous()",
        f"x = x.unsqueeze({draw(axis)})",
        f"x = x.squeeze({draw(axis)})",
        f"x = x.mean({draw(axis)})",
        f"x = x.sum(dim={draw(axis)}, keepdim=True)",
        f"x = x.max({draw(axis)})[0]",
        f"x, _ = x.min(dim={draw(axis)})",
        "x = x + y",
        "x = x * y",
        "x = y - x",
        "x += y",
        "x = 2 * x / 3 + 1",
        f"x = torch.cat([x, y], dim={draw(axis)})",
        f"x = torch.cat((x, x), {draw(axis)})",
        f"x = torch.stack([x, x], dim={draw(axis)})",
        "y = x",
        "x = x[:, 0]",
        "x = x[:, -1]",
        "x = x[..., :2]",
        "x = x[:, 1:]",
        "x = x[:, ::2]",
        f"x = x[:, :{max(second // 2, 1)}] + x[:, {max(second // 2, 1)}:]",
        f"x = x.chunk(2, dim={draw(axis)})[0]",
        f"a, b = x.split({max(second // 2, 1)}, dim=1); x = a @ b.transpose(1, 2)",
        f"x = x @ x.transpose({draw(axis)}, {draw(axis)})",
        f"x = F.max_pool2d(x, {draw(st.integers(1, 3))}, {draw(st.integers(1, 2))}, ceil_mode={draw(st.booleans())})",
        f"x = F.avg_pool2d(x, {draw(st.integers(1, 3))})",
        f"x = F.adaptive_avg_pool1d(x, {draw(st.integers(1, 3))})",
        "n, c = x.shape[0], x.shape[1]; x = x.reshape(n, c, -1)",
        "n, c, h, w = x.shape; x = x.view(n, c * h, w)",
        f"x = F.layer_norm(x, ({small(shape[-1]) if axes else 1},))",
        f"x = x.unflatten(-1, ({draw(st.sampled_from(divisors(shape[-1] if axes else 1)))}, -1))",
    ]
    return draw(st.sampled_from(choices))


def draw_heads(draw: st.DrawFn, shape: tuple[int, ...], other: tuple[int, ...], number: int) -> tuple[str, str]:
    """Multi-head attention, and a call of it on x, y and what they are."""
    width = small(shape[-1]) if shape and draw(st.integers(0, 11)) else draw(st.integers(1, 6))
    values: dict[str, Any] = {"embed_dim": width, "num_heads": draw(st.sampled_from([1, 1, 1, 2, 3]))}
    values |= some(draw, {name: st.booleans() for name in ("bias", "add_bias_kv", "add_zero_attn", "batch_first")})
    key, value = draw(st.sampled_from(["x", "x", "y"])), draw(st.sampled_from(["x", "x", "y"]))
    if draw(st.integers(0, 2)) == 0:
        values |= {"kdim": small((other if key == "y" else shape or (1,))[-1])}
        values |= {"vdim": small((other if value == "y" else shape or (1,))[-1])}
    options = draw(st.sampled_from(["", "", ", need_weights=False", ", average_attn_weights=False"]))
    taken = draw(st.sampled_from([0, 0, 0, 1])) if options != ", need_weights=False" else 0
    return f"nn.MultiheadAttention({named(draw, values, 2)})", f"x = self.l{number}(x, {key}, {value}{options})[{taken}]"


@st.composite
def forwards(draw: st.DrawFn, longest: int = 6) -> Forward:
    sizes = draw(st.lists(st.sampled_from([1, 2, 3, 4, 5, 6, 8, 12]), min_size=1, max_size=3))
    start = [torch.randn(batch, *sizes) for batch in BATCHES]
    states: list[dict[str, Any]] = [{"x": x, "y": x, "torch": torch, "F": F} for x in start]
    makes: list[str] = []
    steps: list[str] = []
    weights: int | None = 0
    break_step, odd = None, False
    for _ in range(draw(st.integers(1, longest))):
        x, y = states[0]["x"], states[0]["y"]
        shape = tuple(x.shape) if isinstance(x, torch.Tensor) else (2, 2)
        if draw(st.integers(0, 9)) == 0 and isinstance(x, torch.Tensor):
            layer, step = draw_heads(draw, shape, tuple(y.shape) if isinstance(y, torch.Tensor) else shape, len(makes))
            try:
                module = make(layer)
            except Exception:
                continue
            makes.append(f"self.l{len(makes)} = {layer}")
            assert weights is not None
            weights += sum(parameter.numel() for parameter in module.parameters())
        elif draw(st.integers(0, 2)) == 0:
            layer, step = draw(a_layer(shape)), f"x = self.l{len(makes)}(x)"
            try:
                module = make(layer)
            except Exception:  # torch refuses to make it; such layers are the other strategy's business
                continue
            makes.append(f"self.l{len(makes)} = {layer}")
            assert weights is not None
            weights += sum(parameter.numel() for parameter in module.parameters())
            if not isinstance(x, torch.Tensor):
                step = f"x = self.l{len(makes) - 1}(x[0])"
        else:
            module, step = None, draw(a_step(shape, tuple(y.shape) if isinstance(y, torch.Tensor) else (2, 2)))
        steps.append(step)
        try:
            for state in states:
                run_step(step, state, module, len(makes) - 1)
        except Exception:
            break_step = len(steps) - 1
            break
        pair = [state["x"] for state in states]
        if all(isinstance(each, torch.Tensor) for each in pair):
            if len({each.dim() for each in pair}) > 1:
                odd = True
                break
            found = symbolic([tuple(each.shape) for each in pair])
            odd = odd or any(isinstance(size, tuple) and (size[2] or size[0] < 1) for size in found)
            if odd or not pair[0].numel() or sum(each.numel() for each in pair) > 100_000:
                break  # a net of a tensor without numbers is no net: torch itself answers it this way or that
    last = [state["x"] for state in states]
    tensors = break_step is None and not odd and all(isinstance(each, torch.Tensor) for each in last)
    output = symbolic([tuple(each.shape) for each in last]) if tensors else None
    line = None if break_step is None else 6 + len(makes) + 3 + break_step
    text = "x".join(["N", *map(str, sizes)])
    return Forward(assemble(makes, steps), text, output, weights, line, odd)


def run_step(step: str, state: dict[str, Any], module: Any, number: int) -> None:
    state["self"] = types.SimpleNamespace(training=True, **({f"l{number}": module} if module is not None else {}))
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        exec(step, state)
