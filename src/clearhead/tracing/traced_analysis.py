"""What a run found -> the same analysis that reading gives: rows, weights, and the break, explained by the same laws."""

import ast
from dataclasses import replace
from itertools import pairwise
from typing import Any

from clearhead.layers import Analysis, Input
from clearhead.layers.interpreter.interpreter_state import Broken, Row
from clearhead.layers.interpreter.nets.net_candidates import Candidate
from clearhead.layers.laws import LAWS, TWINS, Numbers, Weights, parameters
from clearhead.layers.laws.signatures import fill
from clearhead.layers.operations.operation_table import OPERATIONS
from clearhead.layers.operations.sums_and_products import broadcast, matmul
from clearhead.layers.values.axis_sizes import BATCH
from clearhead.layers.values.net_parts import Frame, Layer
from clearhead.layers.values.receptive_field import OPEN
from clearhead.layers.values.refusals import NotKnown, Refusal, WrongInput
from clearhead.layers.values.tensors import Parameter, Tensor, row_major
from clearhead.tracing.source_places import Places

SMALL, LARGE = 5, 7  # the two batches the program puts through
SIGNS = {
    "__add__": "+",
    "__radd__": "+",
    "add": "+",
    "__mul__": "*",
    "mul": "*",
    "__sub__": "−",
    "sub": "−",
    "__truediv__": "/",
    "div": "/",
}
FAULTS = (TypeError, ValueError, IndexError, KeyError, AttributeError, NotKnown, WrongInput, ZeroDivisionError)


def assemble(text: str, inputs: tuple[Input, ...], found: dict[str, Any]) -> Analysis:
    """The analysis of a run."""
    places = Places(text)
    given = tuple(read_back(each, one) for each, one in zip(inputs, found["inputs"], strict=True))
    node = places.definition(found["net"].partition("(")[0])
    net = Candidate(found["net"], node, call=found["call"], level=4)
    analysis = Analysis(text, net, [], given, notes=list(found.get("notes", [])))
    again = found.get("again", found)
    layers: dict[str, Layer] = {}
    for place, row in enumerate(found["rows"]):
        other = again["rows"][place] if place < len(again["rows"]) else row
        analysis.rows.append(row_of(row, other, found, places, layers))
    for path, layer in layers.items():
        analysis.paths[id(layer)] = path
        analysis.counted[id(layer)] = found["own"].get(path, 0)
    for path, shape in found.get("parameters", []):
        analysis.parameters.append((path, Parameter(Tensor(tuple(shape)), node_line(node))))
    analysis.weights = found["weights"]
    analysis.at_least = found["weights"] or 0
    analysis.output = joined(found["output"], again["output"])
    analysis.progress = len(analysis.rows)
    if found["broken"] is not None:
        analysis.broken = explain(found["broken"], places, found)
        analysis.progress += 0 if found["broken"]["making"] else 1
    return analysis


def node_line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def read_back(given: Input, used: dict[str, Any]) -> Input:
    """An input as the program took it."""
    place = used["place"] if used["batch"] and used["place"] else given.place
    return replace(
        given, sizes=tuple(used["sizes"]), place=place, whole=bool(used["whole"]), batch=BATCH if used["batch"] else None
    )


def row_of(row: dict[str, Any], other: dict[str, Any], found: dict[str, Any], places: Places, layers: dict[str, Layer]) -> Row:
    """One row; the law of the layer adds its arithmetic and cost where it says the same shape."""
    output = joined(row["output"], other["output"])
    call = places.call(row["frames"][-1] if row["frames"] else None)
    line = node_line(call) if call is not None else 0
    inputs = tuple(each for each in flat(joined(row["inputs"], other["inputs"])) if isinstance(each, Tensor))
    if not row["layer"]:
        kind = row["kind"] if row["kind"] not in SIGNS else SIGNS[row["kind"]]
        shown = "[…]" if kind == "__getitem__" else f"torch.{kind}" if kind not in SIGNS.values() else kind
        return Row(None, shown, line, output, field=OPEN, node=call, inputs=inputs)
    path = row["path"]
    if path not in layers:
        layers[path] = layer_of(row["kind"], found["made"].get(path), found["own"].get(path, 0), places)
    layer = layers[path]
    text, adds = by_law(layer, inputs, output)
    return Row(layer, layer.kind, layer.line, output, text, adds, OPEN, call, inputs)


def by_law(layer: Layer, inputs: tuple[Tensor, ...], output: Any) -> tuple[str, int | None]:
    """The arithmetic and the cost that the law says, where its shape is torch's."""
    law = LAWS.get(layer.kind)
    if law is None or not layer.arguments or not inputs:
        return "", 0
    try:
        outcome = law.run(layer.arguments, *inputs[: law.needed])
    except (Refusal, *FAULTS):
        return "", 0
    first = outcome.output[0] if isinstance(outcome.output, tuple) else outcome.output
    got = output[0] if isinstance(output, tuple) and output else output
    same = isinstance(got, Tensor) and first.shape == got.shape
    return (outcome.arithmetic, outcome.multiply_adds) if same else ("", 0)


def layer_of(kind: str, made: dict[str, Any] | None, weights: int, places: Places) -> Layer:
    """A layer with its arguments, and the calls inside which it was made."""
    frames = made["frames"] if made else []
    node = places.call(frames[-1]) if frames else None
    call = node if isinstance(node, ast.Call) else ast.Call(ast.Name(kind, ast.Load()), [], [], lineno=0, col_offset=0)
    arguments = arguments_of(kind, made) if made else {}
    try:
        text = LAWS[kind].weigh(arguments).arithmetic if arguments else ""
    except (Refusal, *FAULTS):
        text = ""
    outer = [frame_of(places, frame, caller) for caller, frame in pairwise(frames)]
    begun = places.function(frames[0]) if frames else None
    first = Frame(ast.Pass(lineno=0, col_offset=0), begun) if begun is not None else None  # the net's own constructor
    trail = tuple(frame for frame in (first, *outer) if frame is not None)
    return Layer(kind, arguments, call, Weights(weights, text), trail=trail)


def frame_of(places: Places, frame: dict[str, Any], caller: dict[str, Any]) -> Frame | None:
    """The call of a function of the source, and the function."""
    function, call = places.function(frame), places.call(caller)
    if function is None or call is None:
        return None
    bound = True if function.args.args and function.args.args[0].arg == "self" else None
    return Frame(call, function, bound)


def arguments_of(kind: str, made: dict[str, Any]) -> dict[str, Any]:
    if kind not in LAWS or made["kind"] != kind:
        return {}
    try:
        values = [back(each) for each in made["values"]]
        return fill(kind, LAWS[kind].signature, values, {key: back(each) for key, each in made["named"].items()})
    except (Refusal, *FAULTS):
        return {}


def back(value: Any) -> Any:
    """A value from JSON as the laws know it."""
    if isinstance(value, dict):
        if "*tensor" in value:
            return tensor_of(value["*tensor"])
        if "*slice" in value:
            return slice(*value["*slice"])
        return None if "*other" in value else {key: back(each) for key, each in value.items()}
    return tuple(back(each) for each in value) if isinstance(value, list) else value


def tensor_of(seen: dict[str, Any]) -> Tensor:
    """A tensor of the smaller batch; axes as long as that batch are taken for it."""
    shape = tuple(seen["shape"])
    return Tensor(shape, seen["whole"], row_major(shape))


def joined(one: Any, other: Any) -> Any:
    """Shapes seen with two batches as shapes in N: a size that grows with the batch is a multiple of N and a rest."""
    if isinstance(one, dict) and isinstance(other, dict) and "shape" in one:
        sizes = []
        for small, large in zip(one["shape"], other["shape"], strict=False):
            slope, rest = divmod(large - small, LARGE - SMALL)
            sizes.append(small if large == small or rest else slope * BATCH + small - slope * SMALL)
        return Tensor(tuple(sizes), one["whole"], row_major(tuple(sizes)))
    if isinstance(one, list):
        pairs = zip(one, other if isinstance(other, list) else one, strict=False)
        return tuple(joined(each, twin) for each, twin in pairs)
    return None


def flat(value: Any) -> list[Any]:
    return [inner for each in value for inner in flat(each)] if isinstance(value, tuple) else [value]


def explain(seen: dict[str, Any], places: Places, found: dict[str, Any]) -> Broken:
    """The break as the laws explain it; where they do not, in torch's own words."""
    said = Refusal(seen["error"])
    place = places.exact(seen["place"]) or places.statement(seen["place"])
    making, layer, operation = seen["making"], seen["layer"], seen["operation"]
    if making is not None:
        made = layer_of(making["kind"], making, 0, places)
        broken = Broken(
            made.node, refusal_when_made(making) or said, kind=making["kind"], order=order_of(making["kind"]), layer=made
        )
        broken.making = True
        return broken
    if layer is not None:
        made = layer_of(layer["kind"], layer["made"], 0, places)
        call = places.call(layer["frames"][-1]) if layer["frames"] else None
        where = made.node if made.line else place or made.node
        return Broken(where, refusal_when_used(made, layer) or said, call, layer["kind"], order_of(layer["kind"]), made)
    if operation is not None:
        call = places.call(operation["frames"][-1]) if operation["frames"] else place
        where = call or place or ast.Pass(lineno=0, col_offset=0)
        return Broken(
            where, refusal_of_operation(operation) or said, where, f"torch.{operation['kind']}".replace("torch.__", "__")
        )
    return Broken(place or ast.Pass(lineno=0, col_offset=0), said)


def order_of(kind: str) -> tuple[str, ...]:
    return parameters(LAWS[kind].signature)[0] if kind in LAWS else ()


def refusal_when_made(making: dict[str, Any]) -> Refusal | None:
    kind = making["kind"]
    if kind not in LAWS:
        return None
    try:
        values = [back(each) for each in making["values"]]
        arguments = fill(kind, LAWS[kind].signature, values, {key: back(each) for key, each in making["named"].items()})
        LAWS[kind].check(arguments)
    except Refusal as refusal:
        return refusal
    except FAULTS:
        return None
    return None


def refusal_when_used(layer: Layer, used: dict[str, Any]) -> Refusal | None:
    """Why the law of a layer refuses what went into it."""
    law = LAWS.get(layer.kind)
    inputs = [tensor_of(each) for each in used["inputs"] if isinstance(each, dict)]
    if law is None or not layer.arguments or len(inputs) < law.needed:
        return None
    try:
        if inputs[0].whole and law.numbers is Numbers.REFUSES_WHOLE:
            return Refusal(f"needs decimals and gets whole numbers (token ids): {inputs[0]}")
        law.run(layer.arguments, *inputs[: law.needed])
    except Refusal as refusal:
        return refusal
    except FAULTS:
        return None
    return None


def refusal_of_operation(operation: dict[str, Any]) -> Refusal | None:
    """Why an operation refuses its arguments, as reading says it."""
    name, values = operation["kind"], [back(each) for each in operation["values"]]
    named = {key: back(each) for key, each in operation["named"].items()}
    try:
        if name in SIGNS:
            broadcast(values[0], values[1], SIGNS[name])
        elif name == "__matmul__":
            matmul(values[0], values[1])
        elif name in TWINS:
            kind, twin = TWINS[name]
            LAWS[kind].run(fill(kind, twin.signature, values[1:], named), values[0])
        elif name in OPERATIONS:
            OPERATIONS[name](*values, **named)
    except Refusal as refusal:
        return refusal
    except FAULTS:
        return None
    return None
