"""A trailing Flatten + Linear as an equal convolution, in two ways."""

import ast
from collections.abc import Sequence
from typing import NamedTuple

from clearhead.errors import InputError
from clearhead.layers.analysis import Analysis, analyse
from clearhead.layers.interpreter.interpreter_state import Row
from clearhead.layers.net_input import Input
from clearhead.layers.report.layer_table import wrap
from clearhead.layers.source.edits import Edit, diff_of
from clearhead.layers.source.syntax_tree import line_starts, span
from clearhead.layers.values.axis_sizes import BATCH, product, show_shape
from clearhead.layers.values.tensors import Tensor

FLATTENS = ("Flatten", "torch.flatten", ".flatten", ".view", ".reshape", "torch.reshape")


class Ending(NamedTuple):
    """The last Flatten and Linear of a net, and the map that goes into them."""

    flatten: Row
    linear: Row
    channels: int
    sizes: tuple[int, ...]  # of the map, without channels
    outputs: int
    bias: bool


class Rewriting(NamedTuple):
    """The net with a convolution instead, in both ways, each as a diff."""

    ending: Ending
    first: str
    first_diff: str
    second: str
    second_diff: str


def rewrite(analysis: Analysis, wanted: Input | Sequence[Input], net: str | None = None) -> Rewriting:
    """Replace the last Flatten + Linear by a convolution whose kernel is the whole map."""
    if analysis.broken is not None or analysis.unknown is not None:
        raise InputError("--as-convolution needs a net that runs with known shapes; mend it first, see --repair.")
    ending = find(analysis)
    axes = len(ending.sizes)
    kernel = str(ending.sizes[0]) if len(set(ending.sizes)) == 1 else str(ending.sizes)
    bias = "" if ending.bias else ", bias=False"
    first = f"nn.Conv{axes}d({ending.channels}, {ending.outputs}, kernel_size={kernel}{bias})"
    ones = f"nn.Conv{axes}d({ending.channels}, {ending.outputs}, kernel_size=1{bias})"
    second = f"{ones}, nn.AvgPool{axes}d({kernel})"
    inline = ending.linear.node is None  # in an nn.Sequential two layers may stand where one stood
    diffs = []
    for code in (first, second if inline else f"nn.Sequential({second})"):
        text = edit(analysis, ending, code)
        after = analyse(text, wanted, net)
        same = after.broken is None and after.unknown is None and last_shape(after) == last_shape(analysis)
        if not same or (code == first and after.weights != analysis.weights):
            raise InputError("--as-convolution: the rewritten source does not give the same shape, so it is not offered.")
        diffs.append(diff_of(analysis.text, text, "rewritten"))
    return Rewriting(ending, first, diffs[0], second, diffs[1])


def find(analysis: Analysis) -> Ending:
    """The last Linear that follows at once on a Flatten of a map."""
    rows = analysis.rows
    for place in range(len(rows) - 1, 0, -1):
        flat, layer, source = rows[place - 1], rows[place].layer, shape_before(analysis, place - 1)
        if layer is None or layer.kind != "Linear" or flat.kind not in FLATTENS or not isinstance(flat.output, Tensor):
            continue
        if 3 <= len(source) <= 5 and source[0] == BATCH and flat.output.shape == (BATCH, product(source[1:])):
            wide, bias = layer.arguments["out_features"], bool(layer.arguments["bias"])
            return Ending(flat, rows[place], source[1], source[2:], wide, bias)
    raise InputError("--as-convolution needs a net with a Linear right behind a Flatten of a map (channels, height, width).")


def shape_before(analysis: Analysis, place: int) -> tuple[int, ...]:
    """The shape that goes into a row of a chain."""
    output = analysis.rows[place - 1].output if place else analysis.input.tensor()
    return output.shape if isinstance(output, Tensor) else ()


def last_shape(analysis: Analysis) -> tuple[int, ...]:
    output = analysis.rows[-1].output if analysis.rows else None
    return output.shape if isinstance(output, Tensor) else ()


def edit(analysis: Analysis, ending: Ending, convolution: str) -> str:
    """The source with the convolution first and the flatten behind it."""
    text, starts = analysis.text, line_starts(analysis.text)
    data = text.encode()
    layer, use = ending.linear.layer, ending.linear.node
    assert layer is not None
    prefix = data[slice(*span(layer.node.func, starts))].decode().rpartition(".")[0]
    convolution = convolution.replace("nn.", f"{prefix}." if prefix else "")
    edits: list[Edit] = []
    if ending.flatten.layer is not None and use is None:
        edits.append(Edit(*span(ending.flatten.layer.node, starts), convolution))
        flatten = data[slice(*span(ending.flatten.layer.node, starts))].decode()
        edits.append(Edit(*span(layer.node, starts), flatten))
    elif isinstance(use, ast.Call) and isinstance(ending.flatten.node, ast.Call):
        edits.append(Edit(*span(layer.node, starts), convolution))
        start, end = span(use, starts)
        flat_start, flat_end = span(ending.flatten.node, starts)
        inner = data[slice(*span(flattened(ending.flatten.node), starts))].decode()
        if start <= flat_start < end:  # self.fc(torch.flatten(x, 1)): both in one expression
            call = data[start:flat_start].decode() + inner + data[flat_end:end].decode()
            edits.append(Edit(start, end, f"{call}.flatten(1)"))
        else:
            edits.append(Edit(flat_start, flat_end, inner))
            edits.append(Edit(end, end, ".flatten(1)"))
    else:
        raise InputError("--as-convolution: the Flatten and the Linear stand too far apart in the source to be edited.")
    for each in sorted(edits, key=lambda one: -one.start):
        text = each.apply(text)
    return text


def flattened(node: ast.Call) -> ast.AST:
    """What a flatten is called on: the argument of `torch.flatten(x, 1)`, the owner of `x.view(...)`, the input of a layer."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if isinstance(owner, ast.Name) and owner.id == "torch":
        return node.args[0]
    is_layer = isinstance(node.func, ast.Attribute) and node.func.attr not in ("flatten", "view", "reshape")
    return node.args[0] if is_layer or owner is None else owner


def rewriting_text(rewriting: Rewriting, proof: str) -> str:
    """Both ways, when they are equal, and the proof of the first."""
    ending = rewriting.ending
    whole, positions = show_shape((ending.channels, *ending.sizes)), product(ending.sizes)
    weights = ending.outputs * (ending.channels * positions + ending.bias)
    fewer = ending.outputs * (ending.channels + ending.bias)
    always = f"Equal always: its weight is the Linear's, reshaped to {ending.outputs}×{whole}; {weights:,} weights, as before."
    only = (
        f"{fewer:,} weights. Equal only when the Linear treats all {positions} positions of the map alike: for each output "
        f"and each channel the same weight at every position; the 1×1 convolution then holds {positions} times that weight. "
        "A trained Linear is not so, unless the map is a single position."
    )
    lines = [
        wrap(f"1. A kernel as large as the map {whole}, then the flatten: {rewriting.first}"),
        wrap(always, "   "),
        *([wrap(proof, "   ")] if proof else []),
        "",
        rewriting.first_diff,
        "",
        wrap(f"2. One by one, then the mean, then the flatten: {rewriting.second}"),
        wrap(only, "   "),
        "",
        rewriting.second_diff,
    ]
    return "\n".join(lines)
