"""Functions of torch that a net uses on the way: `F.relu`, `torch.cat`, `torch.zeros`."""

import ast
from dataclasses import replace
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Broken, Row, Scope, first_unknown, has_tensor
from clearhead.layers.interpreter.python.brackets import items
from clearhead.layers.interpreter.python.library_functions import LIBRARY, call_library
from clearhead.layers.interpreter.python.python_functions import BUILTINS
from clearhead.layers.interpreter.torch.torch_wrappers import WRAPPERS
from clearhead.layers.laws import LAWS, TWINS, Numbers, Outcome, parameters
from clearhead.layers.laws.signatures import fill
from clearhead.layers.operations.operation_table import OPERATIONS, keep
from clearhead.layers.operations.sums_and_products import describe
from clearhead.layers.source.fixes import TakeFirst
from clearhead.layers.values.axis_sizes import is_readable
from clearhead.layers.values.net_parts import Instance
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor, row_major
from clearhead.layers.values.word_lists import words

QUIET = words("contiguous clone detach cpu cuda to float long int bool double half requires_grad_ type_as alias data")
JOINS = words(
    "cat concat concatenate stack hstack vstack dstack column_stack block_diag meshgrid broadcast_tensors einsum cartesian_prod"
)
CREATORS = ("zeros", "ones", "randn", "rand", "empty", "full", "normal", "FloatTensor", "Tensor", "LongTensor", "randint")
PACKAGES = ("torch", "torch.nn.functional", "torch.special", "torch.linalg", "torch.functional", "torch._C._nn", "torch.Tensor")
SILENT = (
    "torch.manual_seed",
    "torch.cuda.manual_seed",
    "torch.cuda.manual_seed_all",
    "torch.cuda.empty_cache",
    "torch.set_default_dtype",
)
NOT_HERE = words(
    "torch.cuda.is_available torch.jit.is_scripting torch.jit.is_tracing torch.is_autocast_enabled "
    "torch.backends.mps.is_available torch.onnx.is_in_onnx_export torch.distributed.is_available "
    "torch.distributed.is_initialized"
)
FACTS: dict[str, Any] = dict.fromkeys(NOT_HERE, False) | {
    "torch.is_grad_enabled": True,
    "torch.cuda.device_count": 0,
    "torch.cuda.current_device": 0,
}
RETURN_FIRST = words(
    "torch.autograd.Variable torch.autograd.variable.Variable torch.as_tensor torch.from_numpy torch.jit.script torch.compile"
)


def call_function(name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Call a function by its full name."""
    line = getattr(node, "lineno", 0)
    package, _, short = name.rpartition(".")
    if name in BUILTINS:
        return BUILTINS[name](values, named, node, scope)
    if name in FACTS:
        return FACTS[name]
    if name in SILENT:
        return None
    if (
        name in RETURN_FIRST
        and values
        and (isinstance(values[0], (Tensor, Parameter, Unknown)) or not name.startswith("torch.as"))
    ):
        return values[0] if not isinstance(values[0], (list, tuple, int, float)) else from_numbers(values[0], line)
    if name in WRAPPERS:
        return WRAPPERS[name](values, named, node, scope)
    if name in LIBRARY or package in ("math", "numpy"):
        return call_library(name, values, named, node, scope)
    if package == "torch" and short == "Size" and values:
        return tuple(items(values[0], line))
    if name in (
        "torch.device",
        "torch.no_grad",
        "torch.enable_grad",
        "torch.cuda.device",
        "torch.autocast",
        "torch.inference_mode",
    ):
        return Function(name)
    if name in ("torch.tensor", "torch.as_tensor", "torch.scalar_tensor", "torch.asarray") or (
        name in ("torch.FloatTensor", "torch.LongTensor", "torch.Tensor") and values and isinstance(values[0], (list, tuple))
    ):
        return from_numbers(values[0] if values else named.get("data"), line)
    if name.rpartition(".")[0].endswith("FloatTensor") or (name.startswith("torch.cuda.") and short.endswith("Tensor")):
        return create("FloatTensor", values, named, line)
    if package in PACKAGES and short in CREATORS and not (short == "normal" and has_tensor(values[:1])):
        return create(short, values, named, line)
    if package == "torch" and short in ("arange", "range", "linspace", "logspace"):
        return count_up(short, values, named, line)
    if package == "torch" and short == "eye":
        return create("zeros", [values[0], values[1] if len(values) > 1 else named.get("m", values[0])], {}, line)
    if package == "torch" and short in ("randperm", "hann_window", "hamming_window"):
        return count_up("arange", values[:1], {}, line)
    if package in PACKAGES:
        title = f"F.{short}" if package.endswith("functional") else f"torch.{short}"
        return operate(short, values, named, node, scope, title)
    if name.endswith(".__init__") and values and isinstance(values[0], Instance):
        values[0].started = True
        return None
    if short == "checkpoint" and "checkpoint" in package and values:
        return scope.run.call(values[0], values[1:], {k: v for k, v in named.items() if k != "use_reentrant"}, node, scope)
    if package.startswith("torch.nn.init") or (package in ("torch.nn.utils",) and short.startswith("clip")):
        return values[0] if values else None
    raise NotKnown(f"`{name}` on line {line} is not followed")


def operate(name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope, title: str) -> Any:
    """An operation on tensors, by its short name; a row is written for it."""
    line = getattr(node, "lineno", 0)
    named = {key: value for key, value in named.items() if key not in ("out", "device", "dtype", "generator", "memory_format")}
    unknown = first_unknown([*values, *named.values()])
    if unknown:
        return unknown
    for word, plain in (("axis", "dim"), ("keepdims", "keepdim")):
        if word in named:
            named[plain] = named.pop(word)
    for alias in ("input", "tensors", "x", "tensor", "self"):
        if alias in named and (not values or alias == "input"):
            values = [named.pop(alias), *values]
            break
    name = {
        "true_divide": "div",
        "divide": "div",
        "multiply": "mul",
        "subtract": "sub",
        "absolute": "abs",
        "arccos": "acos",
    }.get(name, name)
    if name.endswith("_") and (name[:-1] in TWINS or name[:-1] in OPERATIONS):
        name = name[:-1]  # in place: the same shape
    if name not in TWINS and name not in OPERATIONS:
        raise NotKnown(f"`{title}` on line {line} is not followed")
    values = [bare(each) for each in values]
    named = {key: bare(value) for key, value in named.items()}
    if values and isinstance(values[0], tuple) and name not in JOINS and has_tensor(values[:1]):
        raise Broken(node, Refusal(f"needs a tensor and gets {describe(values[0])}", TakeFirst()), node, title)
    if not has_tensor([*values, *named.values()]):
        if values and (values[0] is None or isinstance(values[0], str)):
            raise Broken(node, Refusal(f"{title} needs a tensor, and gets {values[0]!r}"))
        raise NotKnown(f"`{title}` on line {line} is called on something that is not known")
    order: tuple[str, ...] = ()
    try:
        if name in TWINS and not (name in OPERATIONS and not isinstance(values[0], Tensor)):
            order = ("input", *parameters(TWINS[name][1].signature)[0])
            outcome = twin(name, values, named, scope)
        else:
            outcome = OPERATIONS[name](*values, **named)
    except Refusal as refusal:
        raise Broken(node, refusal, node, title, order) from None
    except (TypeError, AttributeError, ValueError, IndexError, KeyError, StopIteration, ZeroDivisionError):
        raise NotKnown(f"the arguments of `{title}` on line {line} are not followed") from None
    several = outcome.output if isinstance(outcome.output, tuple) else (outcome.output,)
    if not all(is_readable(size) for each in several if isinstance(each, Tensor) for size in each.shape):
        raise NotKnown(f"the output of `{title}` on line {line} depends on the batch size in a way that is not followed")
    if name not in QUIET:
        first = several[0]
        inputs = tuple(each for each in flat(values) if isinstance(each, Tensor))
        shown = (outcome.output, outcome.arithmetic, outcome.multiply_adds, first.field, node, inputs)
        scope.run.record(Row(None, title, line, *shown))
    return outcome.output


def bare(value: Any) -> Any:
    """A value with parameters as the tensors they are."""
    if isinstance(value, Parameter):
        return value.tensor
    if isinstance(value, (list, tuple)) and any(isinstance(each, Parameter) for each in value):
        return type(value)(bare(each) for each in value)
    return value


def flat(values: list[Any]) -> list[Any]:
    return [inner for each in values for inner in (each if isinstance(each, (list, tuple)) else (each,))]


def twin(name: str, values: list[Any], named: dict[str, Any], scope: Scope) -> Outcome:
    """A function that does what a layer does."""
    kind, same = TWINS[name]
    x, rest = values[0], values[1:]
    arguments = fill(kind, same.signature, rest, named)
    law = LAWS[kind]
    law.check(arguments)
    if isinstance(arguments.get("training"), Tensor):
        arguments["training"] = True
    idle = law.drops and (arguments.get("p") == 0 or not arguments.get("training", True))
    if x.whole is True and not idle and law.numbers is Numbers.REFUSES_WHOLE:
        raise Refusal(f"needs decimals and gets whole numbers (token ids): {x}")
    outcome = keep(x) if idle else law.run(arguments, x)
    if isinstance(outcome.output, Tensor):
        kept = law.numbers is Numbers.KEEPS or idle
        return outcome._replace(output=replace(outcome.output, whole=x.whole if kept else False, raw=x.raw and kept))
    return outcome


def create(name: str, values: list[Any], named: dict[str, Any], line: int) -> Any:
    """A new tensor of a known shape."""
    unknown = first_unknown([*values, named.get("size")])
    if unknown:
        return unknown
    if name == "full":
        values = values[:1] or [named.get("size")]
    if name == "normal":
        values = [values[2] if len(values) > 2 else named.get("size")]
    if name == "randint":
        values = [next((each for each in [*values, named.get("size")] if isinstance(each, (tuple, list))), None)]
    values = [each for each in values if not isinstance(each, Function)]
    if len(values) == 1 and isinstance(values[0], Tensor) and name in ("FloatTensor", "Tensor"):
        return values[0]
    sizes = tuple(values[0]) if len(values) == 1 and isinstance(values[0], (tuple, list)) else tuple(values)
    sizes = tuple(named["size"]) if not sizes and isinstance(named.get("size"), (tuple, list)) else sizes
    if any(isinstance(size, bool) or not isinstance(size, int) for size in sizes):
        raise NotKnown(f"the sizes of `torch.{name}` on line {line} are not known")
    if any(size < 0 for size in sizes):
        raise Refusal(f"sizes must not be negative: {sizes}")
    return Tensor(sizes, is_whole(name, named), strides=row_major(sizes))


def is_whole(name: str, named: dict[str, Any]) -> bool | None:
    """Whether a new tensor holds whole numbers, as its name or dtype says."""
    kind = named.get("dtype")
    if kind is None:
        return name in ("LongTensor", "randint")
    word = kind.name.rpartition(".")[2] if isinstance(kind, Function) else ""
    return None if not word or word == "dtype" else word.startswith(("int", "long", "bool", "uint", "short"))


def from_numbers(value: Any, line: int) -> Any:
    """`torch.tensor([[1, 2], [3, 4]])`."""
    if isinstance(value, (Tensor, Unknown)):
        return value
    shape: list[int] = []
    inner = value
    while isinstance(inner, (list, tuple)):
        shape.append(len(inner))
        inner = inner[0] if inner else 0.0
    if isinstance(inner, Tensor):
        shape += inner.shape
    elif not isinstance(inner, (int, float, bool)):
        raise NotKnown(f"the numbers of a tensor on line {line} are not known")
    flat_values = value if isinstance(value, (list, tuple)) else [value]
    whole = isinstance(inner, int) and not any(isinstance(each, float) for each in flat_values)
    return Tensor(tuple(shape), whole, row_major(tuple(shape)))


def count_up(name: str, values: list[Any], named: dict[str, Any], line: int) -> Any:
    """`torch.arange` and its kin: how many numbers that is."""
    given = [*values, *(named[key] for key in ("start", "end", "step", "steps") if key in named)]
    unknown = first_unknown(given)
    if unknown:
        return unknown
    numbers = [each for each in given if isinstance(each, (int, float))]
    if len(numbers) != len(given) or not numbers:
        raise NotKnown(f"`torch.{name}` on line {line} is not followed")
    if name in ("linspace", "logspace"):
        count = int(numbers[2]) if len(numbers) > 2 else 100
        return Tensor((count,), False, (1,))
    start, stop, step = (0, numbers[0], 1) if len(numbers) == 1 else (*numbers[:2], numbers[2] if len(numbers) > 2 else 1)
    if step == 0:
        raise Refusal("the step must not be 0")
    exact = all(isinstance(each, int) for each in (start, stop, step))
    count = int(-(-(stop - start) // step))
    whole: bool | None = exact
    if "dtype" in named:
        whole = is_whole(name, named)
    return Tensor((max(int(count), 0) + (1 if name == "range" else 0),), whole, (1,))
