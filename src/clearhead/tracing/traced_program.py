"""The program of the child process: runs a source on fake tensors, and writes down every layer, operation and the break.

A fake tensor has a shape, a kind and a device, and no numbers: nothing is computed and next to no memory is used.
"""

import ast
import contextlib
import inspect
import json
import os
import sys
import types
import warnings
from typing import Any

BATCHES = (5, 7)  # the net is put through twice, so that sizes which hang on the batch are seen


def main() -> None:
    """Read a request from the standard input, and write what was found behind a mark."""
    request = json.load(sys.stdin)
    real, sys.stdout = sys.stdout, sys.stderr
    sys.argv = [os.path.basename(request["file"])]
    sys.path.insert(0, os.path.dirname(os.path.abspath(request["file"])))
    try:
        found = run(request)
    except ImportError as error:
        found = {"refused": f"{error} (torch must be installed: pip install 'clearhead[train]')"}
    real.write("\n@@@" + json.dumps(found))
    real.flush()


def run(request: dict[str, Any]) -> dict[str, Any]:
    from torch._subclasses.fake_tensor import FakeTensorMode

    from clearhead.tracing.recorder import Recorder

    warnings.simplefilter("ignore")
    recorder = Recorder(request["file"])
    with FakeTensorMode(allow_non_fake_inputs=True), recorder.watching():
        names, notes = execute(request["text"], request["file"], recorder)
        nets, failed = make_nets(names, request, recorder)
        if not nets:
            if failed is not None:
                return {**failed, "notes": notes, "inputs": settings(request["inputs"])[0][0]}
            return {"refused": "no net was made; name one with --net. " + " ".join(notes[:2])}
        best: dict[str, Any] | None = None
        for call, net in nets:
            found = put_through(call, net, request["inputs"], recorder)
            if best is None or (best["broken"] is not None and found["broken"] is None):
                best = found
            if best["broken"] is None or request["named"]:
                break
    assert best is not None
    return {**best, "notes": [*notes, *best["notes"]]}


def execute(text: str, file: str, recorder: Any) -> tuple[dict[str, Any], list[str]]:
    """Execute the definitions and assignments of a source, one by one; what fails is noted and passed over."""
    import torch
    from torch import nn

    tree = ast.parse(text)
    module = types.ModuleType("traced_net")
    sys.modules["traced_net"] = module
    names = module.__dict__
    names |= {"__name__": "traced_net", "__file__": file, "torch": torch, "nn": nn, "F": nn.functional}
    body: list[ast.stmt] = []
    for statement in tree.body:
        is_main = isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)
        body += statement.body if isinstance(statement, ast.If) and is_main else [statement]
    notes = []
    for statement in body:
        if is_left_out(statement):
            continue
        try:
            exec(compile(ast.Module([statement], []), file, "exec"), names)
        except BaseException as error:
            recorder.reset()
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                notes.append(f"line {statement.lineno} was passed over: {error}")
    return names, notes


def is_left_out(statement: ast.stmt) -> bool:
    """Loops and bare calls at the top of a file train, print and download; they make no net."""
    if isinstance(statement, (ast.For, ast.While, ast.With)):
        return True
    return isinstance(statement, ast.Expr) and "add_argument" not in ast.unparse(statement)[:300]


def make_nets(
    names: dict[str, Any], request: dict[str, Any], recorder: Any
) -> tuple[list[tuple[str, Any]], dict[str, Any] | None]:
    """The nets that reading proposes, as far as they can be made; and the break of the first that cannot."""
    from torch import nn

    found, failed = [], None
    tries = list(dict.fromkeys([*request["calls"], *([] if request["named"] else own_tries(names))]))
    for call in tries:
        try:
            made = eval(call, names)
            if inspect.isclass(made) or inspect.isfunction(made):
                made = made()
        except BaseException as error:
            if failed is None and call in request["calls"] and not isinstance(error, NameError):
                broken = recorder.break_of(error)
                failed = {"net": call, "call": call, "rows": [], "broken": broken, "weights": None, "output": None}
            recorder.reset()
            continue
        if isinstance(made, (tuple, list)):
            made = next((each for each in made if isinstance(each, nn.Module)), None)
        if isinstance(made, nn.Module):
            found.append((call, made))
        if len(found) >= 4:
            break
    parts = {
        type(inner)
        for _, net in found
        for inner in net.modules()
        if inner is not net and type(inner).__module__ == "traced_net"
    }
    outer = [(call, net) for call, net in found if type(net) not in parts]
    return outer or found, failed


def own_tries(names: dict[str, Any]) -> list[str]:
    """Where reading proposes nothing: modules by name, and functions and classes that need no arguments."""
    from torch import nn

    found = [key for key, value in names.items() if isinstance(value, nn.Module) and "loss" not in type(value).__name__.lower()]
    for key, value in names.items():
        own = getattr(value, "__module__", "") == "traced_net"
        if own and inspect.isclass(value) and issubclass(value, nn.Module) and "loss" not in key.lower():
            found.append(f"{key}()")
        elif own and inspect.isfunction(value) and key not in ("main", "train", "test", "evaluate"):
            with contextlib.suppress(ValueError, TypeError):
                needs = [
                    each
                    for each in inspect.signature(value).parameters.values()
                    if each.default is each.empty and each.kind in (0, 1, 3)
                ]
                found += [] if needs else [f"{key}()"]
    return list(reversed(found))


def put_through(call: str, net: Any, inputs: list[dict[str, Any]], recorder: Any) -> dict[str, Any]:
    """Put the inputs through a net, with the batch axis where it is taken; twice, for the sizes that hang on it."""
    first: dict[str, Any] | None = None
    for shapes, note in settings(inputs):
        results = [recorder.forward(net, tensors(shapes, batch)) for batch in BATCHES[: 2 if shapes[0]["batch"] else 1]]
        found = {**results[0], "again": results[-1], "inputs": shapes, "notes": [note] if note else [], "call": call}
        if found["broken"] is None:
            return found
        first = first or found
        if len(found["rows"]) > 3 and not any(each["whole"] is None for each in shapes):
            break
    assert first is not None
    return first


def settings(inputs: list[dict[str, Any]]) -> list[tuple[list[dict[str, Any]], str]]:
    """Ways to read the inputs: with a batch axis in front or where it was said, as token ids, without a batch axis."""
    plain = [{**each, "batch": True, "place": each["place"] or 0} for each in inputs]
    whole = [{**each, "whole": True} for each in plain]
    second = [{**each, "place": 1 if len(each["sizes"]) > 1 else 0} for each in plain]
    shorter = [{**each, "sizes": each["sizes"][1:]} for each in plain]
    bare = [{**each, "batch": False} for each in plain]
    found = [(plain, ""), (whole, "the input is read as whole numbers (token ids)")]
    if all(each["place"] is None for each in inputs):
        found.append((second, "N stands second: a layer without batch_first takes the input"))
        if all(len(each["sizes"]) > 1 for each in inputs):
            found.append((shorter, "the first size of --input is read as the batch axis"))
        found.append((bare, "--input is read as it stands, without a batch axis"))
        found.append(
            ([{**each, "whole": True} for each in bare], "--input is read as it stands, as token ids without a batch axis")
        )
    return found


def tensors(shapes: list[dict[str, Any]], batch: int) -> tuple[list[Any], dict[str, Any]]:
    """Tensors for the inputs, in order and by name."""
    import torch

    values, named = [], {}
    for each in shapes:
        size = list(each["sizes"])
        if each["batch"]:
            size.insert(each["place"], batch)
        made = torch.zeros(size, dtype=torch.long) if each["whole"] else torch.randn(size)
        if each["name"]:
            named[each["name"]] = made
        else:
            values.append(made)
    return values, named
