"""Nets that a file holds: made at the level of the file, in its functions, or from a class; and which are no nets."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Made, Scope
from clearhead.layers.laws import LAWS
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer, UserFunction, is_module_class, named_parts
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function


@dataclass(slots=True)
class Candidate:
    """A net that the file holds: its name, where it stands, and the module, or why it breaks while it is made."""

    name: str
    node: ast.AST
    module: Any = None
    broken: Broken | None = None
    unknown: Unknown | None = None
    call: str = ""  # the call that makes it, as a person would write it after --net
    level: int = 1  # how surely it is meant: 3 made by the file, 2 by a function that nobody calls, 1 from its class
    part: bool = False  # its class is a part of another net

    @property
    def again(self) -> str | None:
        """What names this net in the same file once it is edited."""
        return self.name if self.name.isidentifier() and self.level != 2 else None

    @property
    def line(self) -> int:
        return getattr(self.node, "lineno", 0)

    @property
    def bare(self) -> bool:
        """A single layer of torch: hardly ever the net of a file that has others."""
        return isinstance(self.module, Layer)


def from_made(made: list[Made], found: list[Candidate], level: int, scope: Scope) -> list[Candidate]:
    """Candidates from the modules that were made outside of other modules."""
    known = {id(each.module) for each in found}
    added = []
    for each in made:
        if id(each.module) in known or not is_usable(each.module) or isinstance(each.module, Layer):
            continue
        known.add(id(each.module))
        call = call_of(each.module)
        if not call and each.function and id(each.module) in scope.run.returned:
            call = f"{each.function}()"
        name = (
            each.module.cls.name
            if isinstance(each.module, Instance)
            else each.function or f"line {getattr(each.node, 'lineno', 0)}"
        )
        if level < 3 and each.function and not isinstance(each.module, Instance):
            name = each.function
        added.append(Candidate(name, each.node, each.module, call=call, level=level))
    return added


def call_of(module: Any) -> str:
    """The call that made an object, as a person would write it; empty where it cannot be written."""
    if isinstance(module, Instance) and module.given is not None:
        return shown_call(module.cls.name, *module.given)
    return ""


def shown_call(name: str, values: list[Any], named: dict[str, Any]) -> str:
    """`Net(10, width=3)`; empty where an argument cannot be written."""
    words = [written(each) for each in values] + [
        f"{key}={text}" if (text := written(each)) else "" for key, each in named.items()
    ]
    return f"{name}({', '.join(words)})" if all(words) else ""


def written(value: Any) -> str:
    """A value as Python writes it, or nothing."""
    if isinstance(value, (int, float, str, bool, type(None))):
        return repr(value)
    if isinstance(value, (list, tuple)):
        words = [written(each) for each in value]
        if not all(words):
            return ""
        return f"[{', '.join(words)}]" if isinstance(value, list) else f"({', '.join(words)}{',' if len(words) == 1 else ''})"
    if isinstance(value, dict):
        pairs = [(written(key), written(each)) for key, each in value.items()]
        return (
            "{" + ", ".join(f"{key}: {each}" for key, each in pairs) + "}" if all(key and each for key, each in pairs) else ""
        )
    if isinstance(value, Class):
        return value.name
    if isinstance(value, Function) and value.name.startswith("torch.nn."):
        return value.name.replace("torch.nn.", "nn.")
    if isinstance(value, Instance) and value.cls.name != "Options":
        return call_of(value)
    return ""


def is_usable(value: Any) -> bool:
    """Whether a tensor can be put through a value."""
    if isinstance(value, Instance):
        return is_usable_class(value.cls)
    return isinstance(value, Layer) or (isinstance(value, Container) and value.kind == "Sequential")


def is_usable_class(cls: Class) -> bool:
    """Whether a class is a module that can be put to use: with a forward, of its own or of torch's class below it."""
    if not is_module_class(cls):
        return False
    root = getattr(cls.root(), "name", "").rpartition(".")[2]
    own = cls.find("forward")
    return isinstance(own[0], UserFunction) if own else root == "Sequential" or root in LAWS


def is_loss(value: Any) -> bool:
    """Whether a module or class is a loss: it is called so, made from one, or its forward takes a target."""
    if isinstance(value, Layer):
        return value.kind.endswith("Loss")
    cls = value.cls if isinstance(value, Instance) else value
    if not isinstance(cls, Class):
        return False
    root = getattr(cls.root(), "name", "")
    words = cls.name.lower()
    if words.endswith(("loss", "criterion", "metric", "losses", "lossfunction", "labelsmoothing")) or root.endswith("Loss"):
        return True
    forward = cls.find("forward")
    if not forward or not isinstance(forward[0], UserFunction):
        return False
    names = [each.arg.lower() for each in forward[0].node.args.args][1:]
    return "loss" in words and len(names) > 1


def parts_inside(module: Any) -> Iterator[Any]:
    """The modules inside a module, itself left out."""
    if module is None:
        return
    for _, part in named_parts(module).values():
        if part is not module and isinstance(part, (Instance, Container, Layer)):
            yield part


def looks_like_a_net(statement: ast.stmt) -> bool:
    """Whether a statement that cannot be followed calls Sequential, or a layer by `nn.`"""
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
        return False
    words = {getattr(each, "attr", "") or getattr(each, "id", "") for each in ast.walk(statement)}
    return "Sequential" in words or any(word in LAWS and not word.endswith("Loss") for word in words)


def made_before(statement: ast.stmt, scope: Scope, evaluate: Callable[[ast.expr, Scope], Any]) -> Any:
    """The layers of a Sequential that stand before the one that cannot be made, so that the table goes up to it."""
    call = getattr(statement, "value", None)
    if not isinstance(call, ast.Call) or (getattr(call.func, "attr", "") or getattr(call.func, "id", "")) != "Sequential":
        return None
    parts: dict[str, Any] = {}
    for place, argument in enumerate(call.args):
        try:
            value = evaluate(argument, scope)
        except (Broken, Halt, NotKnown, Refusal):
            break
        if not is_usable(value):
            break
        parts[str(place)] = value
    return Container("Sequential", parts, statement.lineno)


def targets_of(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, (ast.AnnAssign, ast.AugAssign)) else []
