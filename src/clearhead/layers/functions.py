"""Functions of torch and of Python that a net uses on the way: `F.relu`, `torch.cat`, `range`, `math.prod`."""

import ast
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from clearhead.layers.indexing import items
from clearhead.layers.laws import LAWS, MAKES_DECIMALS, TAKES_WHOLE, Outcome
from clearhead.layers.making import fill
from clearhead.layers.modules import Instance, Layer, Super
from clearhead.layers.operations import OPERATIONS, describe, keep
from clearhead.layers.scope import Broken, Halt, Row, Scope, first_unknown, has_tensor
from clearhead.layers.sizes import SMALL, is_readable
from clearhead.layers.values import TAKE_FIRST, Fix, NotKnown, Parameter, Refusal, Tensor, Unknown, row_major

# Functional twins of layers: the layer, and the arguments behind the input in the order of the function.
POOL = "kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False"
AVERAGE = "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None"
DROP = "p=0.5, training=True, inplace=False"
TWINS: dict[str, tuple[str, str]] = {
    **{f"max_pool{n}d": (f"MaxPool{n}d", POOL) for n in (1, 2, 3)},
    **{f"avg_pool{n}d": (f"AvgPool{n}d", AVERAGE) for n in (1, 2, 3)},
    **{f"adaptive_avg_pool{n}d": (f"AdaptiveAvgPool{n}d", "output_size") for n in (1, 2, 3)},
    **{f"adaptive_max_pool{n}d": (f"AdaptiveMaxPool{n}d", "output_size, return_indices=False") for n in (1, 2, 3)},
    **{f"dropout{n}": (f"Dropout{n}", DROP) for n in ("", "1d", "2d", "3d")},
    "alpha_dropout": ("AlphaDropout", DROP),
    "layer_norm": ("LayerNorm", "normalized_shape, weight=None, bias=None, eps=1e-05, elementwise_affine=False"),
    "relu": ("ReLU", "inplace=False"),
    "leaky_relu": ("LeakyReLU", "negative_slope=0.01, inplace=False"),
    "elu": ("ELU", "alpha=1.0, inplace=False"),
    "gelu": ("GELU", "approximate='none'"),
    "glu": ("GLU", "dim=-1"),
    **{name.lower(): (name, LAWS[name].signature) for name in ("ReLU6", "SELU", "CELU", "SiLU", "Mish", "Hardtanh", "RReLU")},
    **{name.lower(): (name, LAWS[name].signature) for name in ("Hardswish", "Hardsigmoid", "Sigmoid", "Tanh", "Tanhshrink")},
    **{name.lower(): (name, LAWS[name].signature) for name in ("Softsign", "Softplus", "Softshrink", "Hardshrink")},
    "logsigmoid": ("LogSigmoid", ""),
    "softmin": ("Softmin", "dim=None"),
}
QUIET = {"contiguous", "clone", "detach", "cpu", "cuda", "to", "float", "long", "int", "requires_grad_"}
JOINS = {"cat", "concat", "concatenate", "stack"}
CREATORS = ("zeros", "ones", "randn", "rand", "empty")
SAFE_MATH = ("prod", "sqrt", "floor", "ceil", "log", "log2", "gcd", "pow")


def call_function(name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Call a function by its full name."""
    line = getattr(node, "lineno", 0)
    package, _, short = name.rpartition(".")
    if name in BUILTINS:
        return BUILTINS[name](values, named, node, scope)
    if package == "math" and short in SAFE_MATH:
        return calculate(short, values, line)
    if name == "collections.OrderedDict" or name == "dict":
        return make_mapping(values, named, line)
    if package in ("torch", "torch.nn.functional") and short in CREATORS:
        return create(short, values, named, line)
    if package == "torch" and short == "arange":
        return count_up(values, line)
    if package in ("torch", "torch.nn.functional", "torch.special"):
        return operate(short, values, named, node, scope, f"F.{short}" if package.endswith("functional") else f"torch.{short}")
    if name == "torch.nn.Module.__init__" and values and isinstance(values[0], Instance):
        values[0].started = True
        return None
    raise NotKnown(f"`{name}` on line {line} is not followed")


def operate(name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope, title: str) -> Any:
    """An operation on tensors, by its short name; a row is written for it."""
    line = getattr(node, "lineno", 0)
    unknown = first_unknown([*values, *named.values()])
    if unknown:
        return unknown
    named = dict(named)
    for alias in ("input", "tensors"):
        if alias in named and not values:
            values = [named.pop(alias)]
    if name not in TWINS and name not in OPERATIONS:
        raise NotKnown(f"`{title}` on line {line} is not followed")
    values = [each.tensor if isinstance(each, Parameter) else each for each in values]
    if values and isinstance(values[0], tuple) and name not in JOINS and has_tensor(values[:1]):
        raise Broken(node, Refusal(f"needs a tensor and gets {describe(values[0])}", TAKE_FIRST), node, title)
    if not has_tensor(values[:1]):
        if values and (values[0] is None or isinstance(values[0], (int, float, str))):
            raise Broken(node, Refusal(f"{title} needs a tensor, and gets {values[0]!r}"))
        raise NotKnown(f"`{title}` on line {line} is called on something that is not known")
    try:
        outcome = twin(name, values, named) if name in TWINS else OPERATIONS[name](*values, **named)
    except Refusal as refusal:
        raise Broken(node, refusal, node, title) from None
    except (TypeError, AttributeError, ValueError):  # arguments in a form that is not followed
        raise NotKnown(f"the arguments of `{title}` on line {line} are not followed") from None
    several = outcome.output if isinstance(outcome.output, tuple) else (outcome.output,)
    if not all(is_readable(size) for each in several if isinstance(each, Tensor) for size in each.shape):
        raise NotKnown(f"the output of `{title}` on line {line} depends on the batch size in a way that is not followed")
    if name not in QUIET:
        first = outcome.output[0] if isinstance(outcome.output, tuple) else outcome.output
        row = Row(None, title, line, outcome.output, outcome.arithmetic, outcome.multiply_adds, first.field, node)
        scope.run.record(row)
    return outcome.output


def twin(name: str, values: list[Any], named: dict[str, Any]) -> Outcome:
    """A function that does what a layer does."""
    kind, signature = TWINS[name]
    x, rest = values[0], values[1:]
    arguments = fill(kind, signature, rest, named)
    law = LAWS[kind]
    law.check(arguments)
    idle = kind.startswith("Dropout") and (arguments.get("p") == 0 or not arguments.get("training", True))
    if x.whole and not idle and kind not in TAKES_WHOLE | MAKES_DECIMALS:
        raise Refusal(f"needs decimals and gets whole numbers (token ids): {x}")
    outcome = keep(x) if idle else law.run(arguments, x)
    if isinstance(outcome.output, Tensor):
        kept = kind in TAKES_WHOLE or idle
        return replace(outcome, output=replace(outcome.output, whole=x.whole and kept, raw=x.raw and kept))
    return outcome


def calculate(name: str, values: list[Any], line: int) -> Any:
    """A function of `math` on known numbers."""
    unknown = first_unknown(values)
    if unknown:
        return unknown
    flat = items(values[0], line) if name == "prod" and values else values
    if not all(isinstance(each, (int, float)) and abs(each) < SMALL**2 for each in flat):
        raise NotKnown(f"`math.{name}` on line {line} is not followed")
    try:
        result = getattr(math, name)(flat) if name == "prod" else getattr(math, name)(*flat)
    except (ValueError, TypeError, OverflowError) as error:
        raise Refusal(f"math.{name}: {error}") from None
    return checked(result, line)


def checked(result: Any, line: int) -> Any:
    """A number, refused where it can no longer be a size."""
    if isinstance(result, int) and not is_readable(result):
        raise NotKnown(f"a number on line {line} depends on the batch size, or is too large for a size")
    return result


def make_mapping(values: list[Any], named: dict[str, Any], line: int) -> dict[Any, Any]:
    """`OrderedDict([("conv", nn.Conv2d(...)), ...])` and `dict(...)`."""
    found: dict[Any, Any] = {}
    if values and isinstance(values[0], dict):
        found.update(values[0])
    elif values:
        for pair in items(values[0], line):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[0], (str, int)):
                raise NotKnown(f"the pairs on line {line} are not known")
            found[pair[0]] = pair[1]
    return found | named


def create(name: str, values: list[Any], named: dict[str, Any], line: int) -> Any:
    """A new tensor of a known shape."""
    unknown = first_unknown(values)
    if unknown:
        return unknown
    sizes = tuple(values[0]) if len(values) == 1 and isinstance(values[0], (tuple, list)) else tuple(values)
    sizes = tuple(named["size"]) if not sizes and isinstance(named.get("size"), (tuple, list)) else sizes
    if any(isinstance(size, bool) or not isinstance(size, int) for size in sizes):
        raise NotKnown(f"the sizes of `torch.{name}` on line {line} are not known")
    if any(size < 0 for size in sizes):
        raise Refusal(f"sizes must not be negative: {sizes}")
    return Tensor(sizes, strides=row_major(sizes))


def count_up(values: list[Any], line: int) -> Any:
    unknown = first_unknown(values)
    if unknown:
        return unknown
    if len(values) != 1 or not isinstance(values[0], int):
        raise NotKnown(f"`torch.arange` on line {line} is not followed")
    return Tensor((values[0],), whole=True, strides=(1,))


def of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of Python on known numbers."""

    def run(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
        line = getattr(node, "lineno", 0)
        unknown = first_unknown(values)
        if unknown:
            return unknown
        if named or not all(isinstance(each, (int, float, list, tuple, str, range)) for each in values):
            raise NotKnown(f"a function on line {line} is called on something that is not known")
        if any(isinstance(each, float) and abs(each) > SMALL for each in values):
            raise NotKnown(f"a number on line {line} is too large for a size")
        try:
            return checked(function(*values), line)
        except (TypeError, ValueError, OverflowError) as error:
            raise Refusal(str(error)) from None

    return run


def length(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    if values and isinstance(values[0], Tensor):
        if not values[0].shape:
            raise Refusal("one number has no length")
        return values[0].shape[0]
    return len(items(values[0] if values else None, getattr(node, "lineno", 0)))


def of_lists(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of Python that goes through lists."""

    def run(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
        return list(function(*(items(each, getattr(node, "lineno", 0)) for each in values)))

    return run


def set_attribute(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> None:
    """`self.name = value`."""
    if len(values) != 3 or not isinstance(values[1], str):
        line = getattr(node, "lineno", 0)
        raise Halt(f"`setattr` on line {line} sets something that is not known", line)
    owner, name, value = values
    if isinstance(owner, Instance):
        if not owner.started and not isinstance(value, (int, float, str, Unknown, type(None), Tensor, list, tuple, dict)):
            why = f"{owner.cls.name} sets a layer before super().__init__() was called"
            raise Broken(node, Refusal(why, Fix("*super")))
        owner.attributes[name] = value
    elif isinstance(owner, Layer):
        owner.weights = None
        owner.unknown = f"`.{name}` of {owner.kind} is replaced on line {getattr(node, 'lineno', 0)}"


def above(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """`super()` inside a method."""
    if scope.instance is None or scope.owner is None:
        raise NotKnown(f"`super` on line {getattr(node, 'lineno', 0)} is not inside a method")
    return Super(scope.instance, scope.owner)


BUILTINS: dict[str, Callable[..., Any]] = {
    **{f.__name__: of_numbers(f) for f in (range, int, float, bool, sum, min, max, abs, round, str)},
    **{f.__name__: of_lists(f) for f in (list, zip, enumerate, reversed)},
    "tuple": lambda values, named, node, scope: tuple(items(values[0], getattr(node, "lineno", 0))) if values else (),
    "len": length,
    "print": lambda values, named, node, scope: None,
    "setattr": set_attribute,
    "super": above,
}
