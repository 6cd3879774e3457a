"""Watches torch while a source runs: where each layer is made, what goes in and out, which operation broke."""

import contextlib
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

COMPOSITE: tuple[type[nn.Module], ...] = (nn.MultiheadAttention, nn.Transformer, nn.TransformerEncoder, nn.TransformerDecoder)
COMPOSITE = (*COMPOSITE, nn.TransformerEncoderLayer, nn.TransformerDecoderLayer)
HOLDERS = (nn.Sequential, nn.ModuleList, nn.ModuleDict)
QUIET = {
    "size",
    "dim",
    "__get__",
    "__set__",
    "shape",
    "is_floating_point",
    "numel",
    "to",
    "device",
    "dtype",
    "__len__",
    "contiguous",
}


class Recorder:
    """What was seen so far: the layers that were made, and the rows of the last forward."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.made: dict[int, dict[str, Any]] = {}  # by the module's id: its class, arguments and where it was made
        self.making: list[dict[str, Any]] = []  # constructors of torch that have begun and not ended
        self.rows: list[dict[str, Any]] = []
        self.inside: list[dict[str, Any]] = []  # layers of torch that are being used
        self.operation: dict[str, Any] | None = None
        self.paths: dict[int, str] = {}  # of the net at hand, by the module's id

    def reset(self) -> None:
        self.making, self.inside, self.operation = [], [], None

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Note each layer of torch as it is made."""
        kinds = [kind for kind in vars(nn).values() if isinstance(kind, type) and issubclass(kind, nn.Module)]
        originals = {kind: kind.__init__ for kind in kinds if "__init__" in vars(kind) and kind not in (nn.Module, *HOLDERS)}
        for kind, original in originals.items():
            setattr(kind, "__init__", self.wrapped(kind, original))  # noqa: B010
        try:
            yield
        finally:
            for kind, original in originals.items():
                setattr(kind, "__init__", original)  # noqa: B010

    def wrapped(self, kind: type, original: Any) -> Any:
        def begin(module: Any, *values: Any, **named: Any) -> None:
            outermost = not self.making
            if outermost:
                self.making.append(
                    {"kind": kind.__name__, "values": plain(values), "named": plain(named), "frames": self.frames()}
                )
            original(module, *values, **named)
            if outermost:
                self.made[id(module)] = self.making.pop()

        return begin

    def frames(self) -> list[dict[str, Any]]:
        """The places in the source inside which something is called, the outermost first."""
        found = []
        frame: Any = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self.file:
                found.append(
                    {
                        "function": frame.f_code.co_name,
                        "first": frame.f_code.co_firstlineno,
                        **position(frame.f_code, frame.f_lasti),
                    }
                )
            frame = frame.f_back
        return list(reversed(found))

    def forward(self, net: nn.Module, given: tuple[list[Any], dict[str, Any]]) -> dict[str, Any]:
        """Put inputs through a net, and say what ran and what broke."""
        self.reset()
        self.rows = []
        self.paths = {id(module): path for path, module in net.named_modules()}
        inner = {
            id(part) for each in net.modules() if isinstance(each, COMPOSITE) for part in each.modules() if part is not each
        }
        hooks = []
        for module in net.modules():
            if is_of_torch(module) and id(module) not in inner:
                hooks.append(module.register_forward_pre_hook(self.enter, with_kwargs=True))
                hooks.append(module.register_forward_hook(self.leave, with_kwargs=True))
        broken, output = None, None
        try:
            with torch.no_grad(), Operations(self):
                output = net(*given[0], **given[1])
        except BaseException as error:
            broken = self.break_of(error)
        for hook in hooks:
            hook.remove()
        return {
            "net": type(net).__name__,
            "rows": self.rows,
            "broken": broken,
            "output": shapes(output),
            "weights": sum(each.numel() for each in net.parameters()),
            "own": own_weights(net),
            "made": {path: self.made[key] for key, path in self.paths.items() if key in self.made},
            "parameters": own_parameters(net),
        }

    def enter(self, module: Any, values: Any, named: Any) -> None:
        seen = {"id": id(module), "kind": kind_of(module), "path": self.paths.get(id(module), "")}
        self.inside.append({**seen, "inputs": shapes([*values, *named.values()]), "frames": self.frames()})

    def leave(self, module: Any, values: Any, named: Any, output: Any) -> None:
        entered = self.inside.pop()
        self.rows.append({**entered, "output": shapes(output), "layer": True})

    def break_of(self, error: BaseException) -> dict[str, Any]:
        """Where it broke: the layer or operation at hand, the line of the source, and what torch says."""
        lines = [each for each in traceback.extract_tb(error.__traceback__) if each.filename == self.file]
        last = lines[-1] if lines else None
        place = None
        if last is not None:
            place = {"line": last.lineno, "column": last.colno or 0, "end_line": last.end_lineno, "end_column": last.end_colno}
        message = " ".join(str(error).split("\n")[0].split())[:300]
        layer = self.inside[-1] if self.inside else None
        if layer is not None:
            layer = {**layer, "made": self.made.get(layer["id"])}
        making = self.making[-1] if self.making else None
        found = {
            "error": f"{type(error).__name__}: {message}",
            "place": place,
            "layer": layer,
            "making": making,
            "operation": self.operation,
        }
        self.reset()
        return found


class Operations(TorchFunctionMode):
    """Notes each function of torch that the source itself calls, outside of torch's own layers."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder = recorder

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        named, recorder = kwargs or {}, self.recorder
        name = getattr(func, "__name__", "")
        quiet = (
            bool(recorder.inside) or name in QUIET or (name.startswith("__") and name != "__getitem__" and name not in SIGNS)
        )
        if quiet:
            return func(*args, **named)
        frames = recorder.frames()
        entry = {
            "kind": name,
            "values": plain(args),
            "named": plain(named),
            "frames": frames,
            "inputs": shapes(list(args)),
            "layer": False,
        }
        recorder.operation = entry
        output = func(*args, **named)
        recorder.operation = None
        if shapes(output) is not None:
            recorder.rows.append({**entry, "output": shapes(output)})
        return output


SIGNS = {"__add__", "__mul__", "__sub__", "__truediv__", "__matmul__", "__radd__", "__rmul__", "__getitem__"}


def own_weights(net: nn.Module) -> dict[str, int]:
    """The weights of each layer of torch, those that an earlier one holds too left out."""
    seen: set[int] = set()
    found: dict[str, int] = {}
    for path, module in net.named_modules():
        if is_of_torch(module) and not any(path.startswith(f"{outer}.") for outer in found):
            fresh = [each for each in module.parameters() if id(each) not in seen]
            seen |= {id(each) for each in fresh}
            found[path] = sum(each.numel() for each in fresh)
    return found


def own_parameters(net: nn.Module) -> list[tuple[str, list[int]]]:
    """Parameters that modules of the source hold by themselves."""
    found = []
    for path, module in net.named_modules():
        if not is_of_torch(module):
            for name, each in module._parameters.items():
                if each is not None:
                    found.append((f"{path}.{name}".lstrip("."), list(each.shape)))
    return found


def is_of_torch(module: nn.Module) -> bool:
    """Whether a module runs torch's own forward: one of its layers, or a class made from one that adds none."""
    own = next((base for base in type(module).__mro__ if base.__module__.startswith("torch.nn.modules")), nn.Module)
    overridden = any("forward" in vars(base) for base in type(module).__mro__ if not base.__module__.startswith("torch."))
    return own not in (nn.Module, *HOLDERS) and not overridden


def kind_of(module: nn.Module) -> str:
    return next(base for base in type(module).__mro__ if base.__module__.startswith("torch.nn.modules")).__name__


def position(code: Any, instruction: int) -> dict[str, Any]:
    """The place in the source of the call that a frame is at."""
    places = list(code.co_positions())
    line, end_line, column, end_column = places[instruction // 2] if instruction >= 0 else (0, 0, 0, 0)
    return {"line": line, "end_line": end_line, "column": column, "end_column": end_column}


def shapes(value: Any) -> Any:
    """The shapes inside a value: {"shape", "whole"} for a tensor, a list for several."""
    if isinstance(value, torch.Tensor):
        return {"shape": list(value.shape), "whole": not (value.is_floating_point() or value.is_complex())}
    if isinstance(value, (list, tuple)):
        return [shapes(each) for each in value]
    return None


def plain(value: Any) -> Any:
    """A value that JSON can hold; a tensor by its shape, anything else by its kind."""
    if isinstance(value, torch.Tensor):
        return {"*tensor": shapes(value)}
    if isinstance(value, (int, float, str, bool, type(None))):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, slice):
        return {"*slice": [plain(value.start), plain(value.stop), plain(value.step)]}
    return {"*other": type(value).__name__}
