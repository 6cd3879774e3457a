"""Methods of tensors: sizes, kinds of numbers, and the operations under their names as methods."""

import ast
from dataclasses import replace
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Broken, Scope, first_unknown
from clearhead.layers.interpreter.torch.torch_functions import create, operate
from clearhead.layers.laws.law import axis_of
from clearhead.layers.values.axis_sizes import product
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Tensor
from clearhead.layers.values.word_lists import words

WHOLE_TYPES = words("long int int64 int32 int8 int16 uint8 bool short LongTensor IntTensor ByteTensor BoolTensor")
DECIMAL_TYPES = words(
    "float float32 float64 double half float16 bfloat16 FloatTensor DoubleTensor HalfTensor get_default_dtype"
)
NOTHING = {"backward", "register_hook", "retain_grad", "share_memory_", "__init__"}


def of_tensor(x: Tensor, name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Call a method of a tensor."""
    line = getattr(node, "lineno", 0)
    if name in ("to", "type", "type_as", "cuda", "cpu"):
        return convert(x, name, values, named, node, scope)
    unknown = first_unknown([*values, *(value for key, value in named.items() if key not in ("device", "dtype"))])
    if unknown:
        return unknown
    if name == "size":
        place = values[0] if values else named.get("dim")
        try:
            return x.shape if place is None else x.shape[axis_of(x, int(place))]
        except Refusal as refusal:
            raise Broken(node, refusal, kind=".size") from None
    if name in ("dim", "ndimension"):
        return len(x.shape)
    if name in ("numel", "nelement"):
        return product(x.shape)
    if name in ("is_contiguous", "is_cuda", "is_floating_point", "is_sparse"):
        return {"is_contiguous": True, "is_floating_point": x.whole is not True}.get(name, False)
    if name in NOTHING:
        return None
    if name in ("item", "tolist", "numpy") and name != "numpy":
        return Unknown(f"`.{name}` on line {line} depends on the numbers in a tensor", line)
    if name == "stride":
        return Unknown(f"`.stride` on line {line} is not followed", line)
    if name == "get_device":
        return 0
    if name == "t" and len(x.shape) <= 2:
        return operate("transpose", [x, 0, 1], {}, node, scope, ".t") if len(x.shape) == 2 else x
    if name in ("new", "new_zeros", "new_ones", "new_empty", "new_full", "new_tensor"):
        return renewed(x, name, values, named, node)
    if name in ("view", "reshape") and any(isinstance(each, Function) for each in values):
        return convert(x, "to", values, named, node, scope)
    if name in ("view", "reshape") and not values and "shape" in named:
        values, named = [named["shape"]], {}
    if name in (
        "copy_",
        "set_",
        "fill_",
        "zero_",
        "normal_",
        "uniform_",
        "data",
        "detach_",
        "random_",
        "bernoulli_",
        "exponential_",
    ):
        return x
    if name == "unfold":
        return operate("windows", [x, *values], named, node, scope, ".unfold")
    if name.endswith("_") and not name.endswith("__") and name != "requires_grad_":
        name = name[:-1]
    return operate(name, [x, *values], named, node, scope, f".{name}")


def convert(x: Tensor, name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Another kind of number, another device: the shape stays."""
    given = [*values, *named.values()]
    words = [
        each.name.rpartition(".")[2] if isinstance(each, Function) else each if isinstance(each, str) else "" for each in given
    ]
    other = next((each for each in given if isinstance(each, Tensor)), None)
    if name == "type" and not given:
        return Function("torch.Tensor")
    if other is not None:
        return replace(x, whole=other.whole, raw=False)
    words = [word.rpartition(".")[2] for word in words]
    if any(word in WHOLE_TYPES for word in words):
        return operate("long", [x], {}, node, scope, f".{name}")
    if any(word in DECIMAL_TYPES for word in words):
        return operate("float", [x], {}, node, scope, f".{name}")
    if any(isinstance(each, Unknown) for each in given) and name in ("to", "type", "type_as"):
        return replace(x, whole=None if x.whole else x.whole)
    return x


def renewed(x: Tensor, name: str, values: list[Any], named: dict[str, Any], node: ast.AST) -> Any:
    """`x.new_zeros(3, 4)`: a new tensor of the same kind."""
    line = getattr(node, "lineno", 0)
    if name == "new_tensor" or (name == "new" and not values):
        raise NotKnown(f"`.{name}` on line {line} is not followed")
    sizes = values[:1] if name == "new_full" else values
    made = create("zeros", sizes, {key: value for key, value in named.items() if key == "size"}, line)
    return replace(made, whole=x.whole) if isinstance(made, Tensor) and "dtype" not in named else made
