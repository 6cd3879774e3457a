"""Functions of Python's library and of numpy, on plain values: `math.sqrt`, `np.prod`, `copy.deepcopy`, `argparse`."""

import ast
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from clearhead.layers.interpreter.interpreter_state import LONGEST_LIST, Scope, first_unknown
from clearhead.layers.interpreter.python.brackets import items
from clearhead.layers.interpreter.python.python_functions import checked
from clearhead.layers.interpreter.python.value_arithmetic import combine
from clearhead.layers.interpreter.user_classes import named_tuple
from clearhead.layers.values.axis_sizes import SMALL
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Parameter, Tensor, row_major
from clearhead.layers.values.word_lists import words

MATH = words(
    "prod sqrt floor ceil log log2 log10 gcd pow exp sin cos tan tanh fabs trunc hypot lcm isclose atan comb factorial"
)
NUMPY = {"product": "prod", "power": "pow", "abs": "fabs", "absolute": "fabs"}


@dataclass(slots=True)
class OptionParser:
    """A command line that the source reads: the defaults of its options."""

    defaults: dict[str, Any] = field(default_factory=dict)


def call_library(name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Call a function of a library by its full name."""
    package, _, short = name.rpartition(".")
    if name in LIBRARY:
        return LIBRARY[name](values, named, node, scope)
    line = getattr(node, "lineno", 0)
    unknown = first_unknown(values)
    if unknown:
        return unknown
    if package == "numpy":
        short = NUMPY.get(short, short)
        if short in ("zeros", "ones", "empty", "array", "arange", "triu", "tril", "full", "eye", "linspace"):
            return of_numpy(short, values, named, line)
        if short in ("int32", "int64", "float32", "float64"):
            return int(values[0]) if short.startswith("int") else float(values[0])
        if short in ("max", "min", "sum", "mean", "argmax", "cumsum"):
            return over_numbers(short, values, line)
    if short not in MATH:
        raise NotKnown(f"`{name}` on line {line} is not followed")
    return calculate(short, values, line)


def calculate(name: str, values: list[Any], line: int) -> Any:
    """A function of `math` on known numbers."""
    flat = items(values[0], line) if name == "prod" and values and not isinstance(values[0], (int, float)) else values
    if not all(isinstance(each, (int, float)) and abs(each) < SMALL**2 for each in flat):
        raise NotKnown(f"`math.{name}` on line {line} is not followed")
    if name in ("factorial", "comb", "pow", "exp") and any(abs(each) > 1000 for each in flat):
        raise NotKnown(f"a number on line {line} is too large for a size")
    try:
        result = math.prod(flat) if name == "prod" else getattr(math, name)(*flat)
    except (ValueError, TypeError, OverflowError) as error:
        raise Refusal(f"math.{name}: {error}") from None
    return checked(result, line)


def over_numbers(name: str, values: list[Any], line: int) -> Any:
    things = items(values[0], line) if values and not isinstance(values[0], (int, float)) else values
    if not things or not all(isinstance(each, (int, float)) for each in things):
        raise NotKnown(f"`numpy.{name}` on line {line} is not followed")
    if name == "cumsum":
        return list(itertools.accumulate(things))
    if name in ("mean", "argmax"):
        return sum(things) / len(things) if name == "mean" else things.index(max(things))
    found = max(things) if name == "max" else min(things) if name == "min" else sum(things)
    return checked(found, line)


def of_numpy(name: str, values: list[Any], named: dict[str, Any], line: int) -> Any:
    """An array is followed by its shape, as a tensor is."""
    first = values[0] if values else named.get("shape")
    if name in ("triu", "tril") and isinstance(first, Tensor):
        return first
    if name == "array" and isinstance(first, (list, tuple)) and all(isinstance(each, (int, float)) for each in first):
        return list(first)
    if name in ("zeros", "ones", "empty", "full"):
        sizes = tuple(first) if isinstance(first, (list, tuple)) else (first,)
    elif name == "eye":
        sizes = (first, values[1] if len(values) > 1 else first)
    elif name == "arange" and all(isinstance(each, int) for each in values):
        return list(range(*values)) if values and abs(values[-1 if len(values) < 3 else 1]) < LONGEST_LIST else None
    else:
        raise NotKnown(f"`numpy.{name}` on line {line} is not followed")
    if not all(isinstance(size, int) and size >= 0 for size in sizes):
        raise NotKnown(f"`numpy.{name}` on line {line} is not followed")
    return Tensor(sizes, strides=row_major(sizes))


def make_mapping(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> dict[Any, Any]:
    """`OrderedDict([("conv", nn.Conv2d(...)), ...])` and `dict(...)`."""
    line = getattr(node, "lineno", 0)
    found: dict[Any, Any] = {}
    if values and isinstance(values[0], dict):
        found.update(values[0])
    elif values:
        for pair in items(values[0], line):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[0], (str, int)):
                raise NotKnown(f"the pairs on line {line} are not known")
            found[pair[0]] = pair[1]
    return found | named


def deep_copy(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """New modules with the same arguments; what is tied inside stays tied."""
    return copied(values[0], {})


def copied(value: Any, seen: dict[int, Any]) -> Any:
    """A copy of a module, list or dict with everything inside it."""
    if id(value) in seen:
        return seen[id(value)]
    made: Any
    if isinstance(value, Parameter):
        made = Parameter(value.tensor, value.line)
    elif isinstance(value, Layer):
        made = Layer(value.kind, dict(value.arguments), value.node, value.weights, value.unknown, {}, value.trail, value.names)
        seen[id(value)] = made
        made.held = {name: copied(each, seen) for name, each in value.held.items()}
    elif isinstance(value, Container):
        made = Container(value.kind, {}, value.line)
        seen[id(value)] = made
        made.parts = {name: copied(each, seen) for name, each in value.parts.items()}
        made.attributes = {name: copied(each, seen) for name, each in value.attributes.items()}
    elif isinstance(value, Instance):
        made = Instance(value.cls, value.line, {}, value.started, value.node, value.unknown)
        seen[id(value)] = made
        made.attributes = {name: copied(each, seen) for name, each in value.attributes.items()}
    elif isinstance(value, (list, tuple)):
        made = type(value)(copied(each, seen) for each in value)
    elif isinstance(value, dict):
        made = {key: copied(each, seen) for key, each in value.items()}
    else:
        return value
    seen[id(value)] = made
    return made


def shallow_copy(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    value = values[0]
    return value.copy() if isinstance(value, (list, dict, set)) else copied(value, {})


def name_space(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Instance:
    """An object with attributes and nothing else: `argparse.Namespace`, `SimpleNamespace`, `EasyDict`."""
    line = getattr(node, "lineno", 0)
    body = ast.ClassDef("Options", [], [], [], [])
    body.lineno = line
    given = dict(values[0]) if values and isinstance(values[0], dict) else {}
    return Instance(Class("Options", body, [], {}, scope.file()), line, given | named, True)


def combinations(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
        line = getattr(node, "lineno", 0)
        lists = [each if isinstance(each, int) else items(each, line) for each in values]
        found = list(itertools.islice(function(*lists), LONGEST_LIST + 1))
        if len(found) > LONGEST_LIST:
            raise NotKnown(f"a list on line {line} is too long to follow")
        return found

    return run


def reduced(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    things = items(values[1], getattr(node, "lineno", 0))
    things = [values[2], *things] if len(values) > 2 else things
    if not things:
        raise Refusal("reduce of an empty list")
    found = things[0]
    for each in things[1:]:
        found = scope.run.call(values[0], [found, each], {}, node, scope)
    return found


def of_operator(sign: ast.operator) -> Callable[..., Any]:
    return lambda values, named, node, scope: combine(values[0], values[1], sign, node, scope)


def field_of(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """`dataclasses.field(default=…)`; a factory is called for each object."""
    if "default" in named:
        return named["default"]
    if "default_factory" in named:
        return {"*factory": named["default_factory"]}
    return Unknown(f"the field on line {getattr(node, 'lineno', 0)} has no default", getattr(node, "lineno", 0))


def tuple_class(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    if len(values) < 2 or not isinstance(values[0], str):
        raise NotKnown(f"the fields on line {getattr(node, 'lineno', 0)} are not known")
    return named_tuple(values[0], values[1], named.get("defaults"), node, scope)


def second(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    return values[1] if len(values) > 1 else Unknown("a cast without a value", getattr(node, "lineno", 0))


LIBRARY: dict[str, Callable[..., Any]] = {
    "dict": make_mapping,
    "collections.OrderedDict": make_mapping,
    "collections.defaultdict": lambda values, named, node, scope: {},
    "collections.namedtuple": tuple_class,
    "collections.deque": lambda values, named, node, scope: items(values[0], 0) if values else [],
    "copy.deepcopy": deep_copy,
    "copy.copy": shallow_copy,
    "typing.cast": second,
    "dataclasses.field": field_of,
    "dataclasses.dataclass": lambda values, named, node, scope: values[0] if values else None,
    "argparse.ArgumentParser": lambda values, named, node, scope: OptionParser(),
    "argparse.Namespace": name_space,
    "types.SimpleNamespace": name_space,
    "easydict.EasyDict": name_space,
    "itertools.chain": combinations(itertools.chain),
    "itertools.chain.from_iterable": lambda values, named, node, scope: [
        x for each in items(values[0], 0) for x in items(each, 0)
    ],
    "itertools.product": combinations(itertools.product),
    "itertools.repeat": lambda values, named, node, scope: [values[0]] * min(values[1], LONGEST_LIST),
    "itertools.combinations": combinations(itertools.combinations),
    "itertools.accumulate": combinations(itertools.accumulate),
    "itertools.islice": combinations(itertools.islice),
    "functools.reduce": reduced,
    "operator.add": of_operator(ast.Add()),
    "operator.mul": of_operator(ast.Mult()),
    "operator.sub": of_operator(ast.Sub()),
    "warnings.warn": lambda values, named, node, scope: None,
    "os.path.join": lambda values, named, node, scope: "/".join(each for each in values if isinstance(each, str)),
    "os.makedirs": lambda values, named, node, scope: None,
    "os.cpu_count": lambda values, named, node, scope: 1,
}


def of_parser(owner: OptionParser, name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Options of a command line: what they are when nothing is given."""
    if name == "add_argument":
        flags = [each for each in values if isinstance(each, str)]
        chosen = next((each for each in flags if each.startswith("--")), flags[0] if flags else "")
        key = named.get("dest", chosen.lstrip("-").replace("-", "_"))
        action, line = named.get("action", "store"), getattr(node, "lineno", 0)
        default = named.get(
            "default", {"store_true": False, "store_false": True}.get(action if isinstance(action, str) else "")
        )
        asked = named.get("required") is True or not chosen.startswith("-")
        if default is None and asked and "default" not in named:
            default = Unknown(f"`{chosen}` on line {line} is asked for on the command line", line)
        kind = getattr(named.get("type"), "name", "")
        if isinstance(default, str) and kind in ("int", "float"):
            default = int(default) if kind == "int" else float(default)
        owner.defaults.setdefault(str(key), default)
        return None
    if name in ("parse_args", "parse_known_args"):
        found = name_space([owner.defaults], {}, node, scope)
        return found if name == "parse_args" else (found, [])
    if name == "set_defaults":
        owner.defaults.update(named)
        return None
    if name in ("add_argument_group", "add_mutually_exclusive_group"):
        return owner
    raise NotKnown(f"`.{name}` on line {getattr(node, 'lineno', 0)} is not followed")
