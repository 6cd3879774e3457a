"""What torch itself says of a public file: run in a child process, by hooks, on the CPU. Imports nothing of Clearhead.

Run by layers_public.py, one file a process:  python torch_truth.py find FILE   |   python torch_truth.py check FILE < JSON
A file is not run as it stands (it would train): its definitions and assignments are executed one by one, what fails is
passed over, and modules that are not installed are replaced by a stand-in that takes every call.
"""

import ast
import importlib.abc
import importlib.machinery
import inspect
import json
import re
import sys
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np  # noqa: F401  before any stand-in
import torch
import torch.fx.experimental.symbolic_shapes
from torch import nn

BATCH = 3
SHAPES = (
    "3x32x32",
    "1x28x28",
    "3x224x224",
    "784",
    "3x64x64",
    "3x256x256",
    "100",
    "16:int",
    "3x128x128",
    "1x32x32",
    "16x64",
    "64",
    "10",
    "3x299x299",
    "3x572x572",
    "1x64x64",
    "32x32",
    "28x28",
    "5x10",
    "1x40x40",
    "20x3",
    "3x1024",
    "4x84x84",
    "100x1x1",
    "128",
    "32x512",
    "4",
    "1x16x16x16",
    "16:int,16:int",
    "3x32x32,1",
    "3x256x256,3x256x256",
    "8x4",
    "1",
    "2",
    "3",
    "50:int",
    "1x572x572",
    "3x512x512",
    "512",
    "256",
    "3x160x160",
    "16:int,10:int",
    "9:int",
    "5:int",
    "64x1x28x28",
    "30x300",
    "7x3x32x32",
)


class StandIn(types.ModuleType):
    """A module that is not installed: every attribute is a stand-in, and every call gives one."""

    __path__: list[str] = []  # noqa: RUF012  a package, so that its parts can be imported too

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in ("__call__",):
            raise AttributeError(name)
        return Anything()


class Anything:
    """Takes every call and gives itself."""

    def __call__(self, *values: Any, **named: Any) -> Any:
        plain = len(values) == 1 and not named and isinstance(values[0], (type, types.FunctionType))
        return values[0] if plain else Anything()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return ()


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a stand-in for whatever nothing else finds."""

    missing: list[str] = []  # noqa: RUF012
    wanted = False  # only while an import statement of the file is executed

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if not self.wanted:
            return None
        self.missing.append(name.partition(".")[0])
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> Any:
        return StandIn(spec.name)

    def exec_module(self, module: Any) -> None:
        return None


def names_in(file: str) -> tuple[dict[str, Any], ast.Module]:
    """The names that a file defines."""
    sys.argv = ["program"]
    sys.meta_path.append(Finder())
    warnings.simplefilter("ignore")
    torch.Tensor.cuda = lambda self, *a, **k: self  # type: ignore[method-assign,assignment]
    nn.Module.cuda = lambda self, *a, **k: self  # type: ignore[method-assign,assignment]
    text = Path(file).read_text(encoding="utf-8", errors="replace")
    if file.endswith(".ipynb"):
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        text = "\n".join(
            "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in "".join(cell["source"]).split("\n"))
            for cell in cells
        )
    tree = ast.parse(text)
    names: dict[str, Any] = {"__name__": "public", "__file__": file}
    sys.modules["public"] = types.ModuleType("public")
    sys.modules["public"].__dict__.update(names)
    names = sys.modules["public"].__dict__
    body: list[ast.stmt] = []
    for statement in tree.body:
        main = isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)
        body += (
            [each for each in statement.body if isinstance(each, ast.Assign)]
            if main and isinstance(statement, ast.If)
            else [statement]
        )
    for statement in body:
        calls = ast.unparse(statement)[:200]
        if isinstance(statement, (ast.For, ast.While, ast.With)) or (
            isinstance(statement, ast.Expr) and "add_argument" not in calls
        ):
            continue
        Finder.wanted = isinstance(statement, (ast.Import, ast.ImportFrom, ast.Try))
        try:
            exec(compile(ast.Module([statement], []), file, "exec"), names)
        except BaseException:
            continue
    Finder.wanted = False
    names.setdefault("nn", nn)
    names.setdefault("torch", torch)
    return names, tree


def tensors_for(shapes: list[dict[str, Any]]) -> list[Any]:
    """Tensors for shapes such as ["N", 3, 32, 32], with N = 3."""
    found = []
    for each in shapes:
        size = [number(one) for one in each["shape"]]
        found.append(torch.zeros(size, dtype=torch.long) if each["kind"] == "int" else torch.randn(size))
    return found


def number(size: int | str) -> int:
    """A size such as "2N" or "N − 1" as a number."""
    if isinstance(size, int):
        return size
    words = re.sub(r"(\d)N", r"\1*N", size.replace("−", "-").replace("²", "**2").replace("³", "**3"))
    return int(eval(words, {"N": BATCH}))


def traced(net: nn.Module, values: list[Any], named: dict[str, Any]) -> tuple[list[tuple[str, str, Any]], Any]:
    """The layers of torch that ran, in order, with the shapes they gave; and the shape of all."""
    rows: list[tuple[str, str, Any]] = []
    paths = {id(module): path for path, module in net.named_modules()}
    composite = (
        nn.MultiheadAttention,
        nn.TransformerEncoderLayer,
        nn.TransformerDecoderLayer,
        nn.TransformerEncoder,
        nn.TransformerDecoder,
        nn.Transformer,
    )
    inside = {
        id(inner)
        for module in net.modules()
        if isinstance(module, composite)
        for inner in module.modules()
        if inner is not module
    }
    plain = (nn.Sequential, nn.ModuleList, nn.ModuleDict)

    def hook(module: nn.Module, given: Any, output: Any) -> None:
        own = next(base for base in type(module).__mro__ if base.__module__.startswith("torch.nn.modules"))
        first = output[0] if isinstance(output, (tuple, list)) and output else output
        rows.append((paths[id(module)], own.__name__, list(first.shape) if isinstance(first, torch.Tensor) else None))

    for module in net.modules():
        bases = [
            base for base in type(module).__mro__ if base.__module__.startswith("torch.nn.modules") and base is not nn.Module
        ]
        overridden = "forward" in vars(type(module)) and not type(module).__module__.startswith("torch.")
        if bases and bases[0] not in plain and id(module) not in inside and not overridden:
            module.register_forward_hook(hook)
    with torch.no_grad():
        output = net(*values, **named)
    return rows, shapes_in(output)


def shapes_in(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return list(value.shape)
    if isinstance(value, (tuple, list)):
        return {"several": [shapes_in(each) for each in value]}
    return None


def candidates(names: dict[str, Any], tree: ast.Module) -> list[tuple[str, nn.Module]]:
    """Nets that the file makes or lets make: objects, functions without needs, classes by their calls or defaults."""
    found: list[tuple[str, nn.Module]] = [(key, value) for key, value in list(names.items()) if isinstance(value, nn.Module)]
    tries: list[str] = []
    classes = [
        key
        for key, value in names.items()
        if isinstance(value, type) and issubclass(value, nn.Module) and value.__module__ == "public"
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in classes:
            tries.append(ast.unparse(node))
    for key, value in list(names.items()):
        if inspect.isfunction(value) and value.__module__ == "public" and key not in ("main", "train", "test", "evaluate"):
            needs = [
                each
                for each in inspect.signature(value).parameters.values()
                if each.default is each.empty and each.kind in (0, 1, 3)
            ]
            tries += [f"{key}()"] if not needs else []
    tries += [f"{key}()" for key in classes]
    for expression in dict.fromkeys(tries):
        try:
            made = eval(expression, names)
        except BaseException:
            continue
        if isinstance(made, nn.Module):
            found.append((expression, made))
    parts = {
        type(inner) for _, net in found for inner in net.modules() if inner is not net and type(inner).__module__ == "public"
    }
    return [(key, net) for key, net in found if type(net) not in parts and "loss" not in type(net).__name__.lower()]


GUESSED = (
    "class=10 in_ch=3 input_ch=3 in_planes=3 nc=3 channels=3 out_ch=10 hidden=32 vocab=50 embed=32 dim=32 num_layers=2 "
    "depth=28 widen=2 n_head=4 heads=4 in_feat=64 input_size=10 output_size=5 latent=16 dropout=0.1 size=32 n_layers=2 "
    "nfeat=64 nhid=16 features=64 layers=2 bilinear=1 kernel=3 num=4 n_=8"
)
GUESSES = {pair.partition("=")[0]: json.loads(pair.partition("=")[2]) for pair in GUESSED.split(" ")}


def guessed(names: dict[str, Any]) -> list[tuple[str, nn.Module]]:
    """Classes that need arguments, with whole numbers guessed by their names; for nets named by hand."""
    found = []
    for key, value in list(names.items()):
        if (
            not (isinstance(value, type) and issubclass(value, nn.Module) and value.__module__ == "public")
            or "loss" in key.lower()
        ):
            continue
        needs = [
            each.name
            for each in inspect.signature(value).parameters.values()
            if each.default is each.empty and each.kind in (0, 1, 3)
        ]
        given = {name: next((guess for word, guess in GUESSES.items() if word in name.lower()), None) for name in needs}
        if not needs or None in given.values():
            continue
        expression = f"{key}({', '.join(f'{name}={guess!r}' for name, guess in given.items())})"
        try:
            found.append((expression, eval(expression, names)))
        except BaseException:
            continue
    parts = {
        type(inner) for _, net in found for inner in net.modules() if inner is not net and type(inner).__module__ == "public"
    }
    return [(key, net) for key, net in found if type(net) not in parts]


def find(file: str, roots_given: Any = None, read: Any = None) -> dict[str, Any]:
    """The outermost nets of a file, and an input that goes through one of them; on tensors without numbers, to be quick."""
    torch.set_default_device("meta")
    names, tree = read or names_in(file)
    roots = candidates(names, tree) if roots_given is None else roots_given
    missing = sorted(set(Finder.missing))
    results = []
    for text in SHAPES:
        shapes = []
        for one in [each for each in text.split(",") if each]:
            size, _, kind = one.partition(":")
            shapes.append({"shape": ["N", *(int(each) for each in size.split("x"))], "kind": kind or "float"})
        for key, net in roots:
            if type(net).__module__.startswith("torch."):
                continue
            try:
                rows, _ = traced(net, tensors_for(shapes), {})
            except BaseException:
                continue
            if rows:
                results.append(
                    {
                        "input": [each for each in text.split(",") if each],
                        "net": type(net).__name__,
                        "call": key,
                        "layers": len(rows),
                    }
                )
        if results:
            break
    result = {"missing": missing, "roots": sorted({type(net).__name__ for _, net in roots}), "runs": results}
    if results or roots_given is not None:
        return result
    named = find(file, guessed(names), (names, tree))
    return {**named, "named": True, "roots": result["roots"]}


def broken_line(file: str, said: dict[str, Any]) -> int:
    """The line that makes the layer in which torch breaks (by its path in the net), else the line of the file that raised."""
    names, _ = names_in(file)
    net = None
    for expression in dict.fromkeys([said["net"], said["call"], f"{said['net']}()"]):
        try:
            made = eval(expression, names) if expression else None
        except BaseException as fault:
            return last_line_in(fault, file)
        if isinstance(made, nn.Module):
            net = made
            break
    if net is None:
        return 0
    tensors = tensors_for(said["input"])
    entered: list[nn.Module] = []
    for module in net.modules():
        if not list(module.children()):
            module.register_forward_pre_hook(lambda module, given: entered.append(module))
            module.register_forward_hook(lambda module, given, out: entered.clear())
    try:
        net(*tensors)
    except BaseException as fault:
        return made_on_line(net, entered[-1], file) if entered else last_line_in(fault, file)
    return 0


def made_on_line(net: nn.Module, layer: nn.Module, file: str) -> int:
    """The line on which a layer of these sizes is made, found by its own printed arguments; the first that fits."""
    path = next(path for path, module in net.named_modules() if module is layer)
    kind, last = type(layer).__name__, path.rpartition(".")[2]
    tree = ast.parse(Path(file).read_text(encoding="utf-8", errors="replace"))
    calls = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == kind
    ]
    sizes = [str(getattr(layer, name)) for name in ("in_features", "in_channels", "num_features") if hasattr(layer, name)]
    named = [
        node.value.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith(f".{last}") and node.value in calls
    ]
    fitting = [node.lineno for node in calls if node.args and sizes and ast.unparse(node.args[0]) == sizes[0]]
    return next(iter([*named, *fitting]), 0)


def last_line_in(fault: BaseException, file: str) -> int:
    """The innermost line of the file in a traceback."""
    found, trace = 0, fault.__traceback__
    while trace is not None:
        found = trace.tb_lineno if trace.tb_frame.f_code.co_filename == file else found
        trace = trace.tb_next
    return found


def check(file: str, said: dict[str, Any]) -> dict[str, Any]:
    """What torch says of the net that was named, with the input as it was read."""
    names, tree = names_in(file)
    roots = sorted({type(net).__name__ for _, net in candidates(names, tree)})
    net, error = None, ""
    for expression in dict.fromkeys([said["net"], said["call"], f"{said['net']}()"]):
        if not expression:
            continue
        try:
            made = eval(expression, names)
        except BaseException as fault:
            error = f"{type(fault).__name__}: {fault}"
            continue
        if isinstance(made, (tuple, list)):
            made = next((each for each in made if isinstance(each, nn.Module)), None)
        if isinstance(made, nn.Module):
            net = made
            break
    if net is None:
        return {"roots": roots, "error": f"not made: {error}"[:200]}
    found: dict[str, Any] = {"roots": roots, "net": type(net).__name__, "missing": sorted(set(Finder.missing))}
    tensors = tensors_for(said["input"])
    values = [tensor for tensor, each in zip(tensors, said["input"], strict=True) if not each["name"]]
    named = {each["name"]: tensor for tensor, each in zip(tensors, said["input"], strict=True) if each["name"]}
    try:
        found["rows"], found["output"] = traced(net, values, named)
    except BaseException as fault:
        found["error"] = f"{type(fault).__name__}: {fault}"[:200]
    found["weights"] = sum(each.numel() for each in net.parameters())
    own = {path: sum(each.numel() for each in module.parameters()) for path, module in net.named_modules()}
    found["own"] = own
    return found


if __name__ == "__main__":
    torch.manual_seed(0)
    word, file = sys.argv[1], sys.argv[2]
    given = json.load(sys.stdin) if word == "check" else None
    sys.stdout, real = sys.stderr, sys.stdout
    result = find(file) if word == "find" else check(file, given)
    real.write("\n@@@" + json.dumps(result))
    real.flush()
