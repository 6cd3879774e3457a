"""Functions of torch and of Python that a net uses on the way: `F.relu`, `torch.cat`, `range`, `math.prod`."""

import ast
from dataclasses import replace
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Broken, Row, Scope, first_unknown, has_tensor
from clearhead.layers.interpreter.python_functions import BUILTINS, SAFE_MATH, calculate, make_mapping
from clearhead.layers.laws import LAWS, TWINS, Numbers, Outcome
from clearhead.layers.laws.signatures import fill
from clearhead.layers.operations.operation_table import OPERATIONS, keep
from clearhead.layers.operations.sums_and_products import describe
from clearhead.layers.source.fixes import TakeFirst
from clearhead.layers.values.axis_sizes import is_readable
from clearhead.layers.values.net_parts import Instance
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.tensors import Parameter, Tensor, row_major

QUIET = {"contiguous", "clone", "detach", "cpu", "cuda", "to", "float", "long", "int", "requires_grad_"}
JOINS = {"cat", "concat", "concatenate", "stack"}
CREATORS = ("zeros", "ones", "randn", "rand", "empty")


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
        raise Broken(node, Refusal(f"needs a tensor and gets {describe(values[0])}", TakeFirst()), node, title)
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
    kind, same = TWINS[name]
    x, rest = values[0], values[1:]
    arguments = fill(kind, same.signature, rest, named)
    law = LAWS[kind]
    law.check(arguments)
    idle = law.drops and (arguments.get("p") == 0 or not arguments.get("training", True))
    if x.whole and not idle and law.numbers is Numbers.REFUSES_WHOLE:
        raise Refusal(f"needs decimals and gets whole numbers (token ids): {x}")
    outcome = keep(x) if idle else law.run(arguments, x)
    if isinstance(outcome.output, Tensor):
        kept = law.numbers is Numbers.KEEPS or idle
        return replace(outcome, output=replace(outcome.output, whole=x.whole and kept, raw=x.raw and kept))
    return outcome


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
