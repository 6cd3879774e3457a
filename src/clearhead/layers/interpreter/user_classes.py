"""Functions and classes of the source, as they are defined: decorators, defaults, the fields of a dataclass."""

import ast
from collections.abc import Callable
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Scope
from clearhead.layers.interpreter.source_expressions import default_values
from clearhead.layers.interpreter.unfollowed_code import path_of
from clearhead.layers.values.net_parts import Class, UserFunction
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function
from clearhead.layers.values.word_lists import words

ROLES = {"staticmethod": "static", "classmethod": "class", "property": "property", "cached_property": "property"}
LEAVE_ALONE = words(
    "no_grad inference_mode enable_grad autocast wraps lru_cache cache overload abstractmethod final export ignore "
    "unused script script_method jit typechecked custom_fwd custom_bwd contextmanager override njit script_if_tracing "
    "compile once_differentiable is_grad_enabled dataclass total_ordering add_start_docstrings "
    "handle_legacy_interface deprecated beartype jaxtyped torchscript_safe disable autocast_custom"
)
Evaluate = Callable[[ast.expr, Scope], Any]


def define_function(node: ast.FunctionDef, scope: Scope, evaluate: Evaluate) -> Any:
    """A function with its defaults, as its decorators leave it."""
    found: Any = UserFunction(node, scope, defaults=default_values(node, scope))
    for decorator in reversed(node.decorator_list):
        words = path_of(decorator)
        last = words[-1] if words else ""
        if last in ROLES:
            found.role = ROLES[last]
        elif last in ("setter", "deleter", "getter"):
            return scope.names.get(node.name, found)
        elif last not in LEAVE_ALONE and "regist" not in last.lower():
            found = decorated(found, decorator, scope, evaluate)
        if not isinstance(found, UserFunction):
            return found
    return found


def decorated(function: UserFunction, decorator: ast.expr, scope: Scope, evaluate: Evaluate) -> Any:
    """What a decorator of the source makes of a function; one from elsewhere is not known."""
    made = evaluate(decorator, scope)
    if isinstance(made, UserFunction):
        try:
            return scope.run.call(made, [function], {}, decorator, scope)
        except (NotKnown, Refusal, Broken, Halt):
            pass
    function.unknown = f"`{getattr(function.node, 'name', 'a function')}` is decorated with something that is not followed"
    return function


def define(node: ast.ClassDef, scope: Scope, evaluate: Evaluate, execute: Callable[..., Any]) -> Any:
    """A class and what its body defines."""
    bases = [evaluate(base, scope) for base in node.bases]
    inner = Scope(scope.run, {"__name__": node.name}, outer=scope)
    execute(node.body, inner)
    inner.names.pop("__name__", None)
    for value in inner.names.values():
        if isinstance(value, UserFunction) and value.scope is inner:
            value.scope = scope  # a method does not see the names of the class body
    found = Class(node.name, node, bases, inner.names, scope)
    words = [path_of(each)[-1:] for each in node.decorator_list]
    if ["dataclass"] in words or any(getattr(base, "name", "").endswith(("NamedTuple", "BaseModel")) for base in bases):
        inherited = [name for base in bases if isinstance(base, Class) for name in base.fields or ()]
        own = [each.target.id for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]
        found.fields = tuple(dict.fromkeys([*inherited, *own]))
    return found


def named_tuple(name: str, fields: Any, defaults: Any, node: ast.AST, scope: Scope) -> Class:
    """`collections.namedtuple("Sizes", ["width", "depth"])`."""
    words = fields.replace(",", " ").split() if isinstance(fields, str) else list(fields)
    if not all(isinstance(word, str) for word in words):
        raise NotKnown(f"the fields on line {getattr(node, 'lineno', 0)} are not known")
    body = ast.parse(f"class {name if name.isidentifier() else 'Fields'}: pass").body[0]
    assert isinstance(body, ast.ClassDef)
    ast.copy_location(body, node)
    body.lineno = getattr(node, "lineno", 0)
    given = list(defaults) if isinstance(defaults, (list, tuple)) else []
    frame = dict(zip(reversed(words), reversed(given), strict=False))
    return Class(name, body, [], frame, scope, tuple(words))


def is_unknown_class(cls: Class) -> Unknown | None:
    """Why a class cannot be followed: a base that is not known may do anything."""
    for base in cls.order():
        if isinstance(base, Unknown):
            return base
        if isinstance(base, Function) and not is_known_base(base.name):
            return Unknown(
                f"{cls.name} (line {cls.node.lineno}) is made from `{base.name}`, which is not in this file", cls.node.lineno
            )
    return None


def is_known_base(name: str) -> bool:
    """Whether a base from elsewhere is known: torch's modules, and those that add nothing to a net."""
    known = (
        "object",
        "ABC",
        "abc.ABC",
        "Generic",
        "Protocol",
        "Enum",
        "NamedTuple",
        "dict",
        "list",
        "Exception",
        "LightningModule",
    )
    return name.startswith("torch.nn.") or name in known or name.rpartition(".")[2] in known
