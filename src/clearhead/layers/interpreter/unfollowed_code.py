"""Statements that cannot be followed: what they may have changed is not known any more, and what they surely leave alone."""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from clearhead.layers.interpreter.imports import bring_in
from clearhead.layers.interpreter.interpreter_state import Scope
from clearhead.layers.values.net_parts import Container, Instance
from clearhead.layers.values.refusals import Unknown
from clearhead.layers.values.word_lists import words

ONLY_NUMBERS = ("data", "requires_grad", "training", "grad", "verbose")
HARMLESS = words(
    "print info warn warning debug error manual_seed seed set_device empty_cache add_scalar load_state_dict "
    "state_dict zero_grad step backward imshow show figure plot title savefig save makedirs mkdir manual_seed_all "
    "summary write close flush exit update_from register_forward_hook register_hook xlabel ylabel legend subplot log "
    "train test evaluate fit set_printoptions filterwarnings synchronize set_default_tensor_type init_process_group "
    "watch export subplots axis set_num_threads register_full_backward_hook"
)
RESHAPERS = ("prune", "quant", "convert", "replace", "prepare", "inject", "fuse", "patch", "surgery", "lora", "swap", "adapt")
SETTERS = words("setattr __setattr__ add_module register_module append extend insert pop update remove clear")


def only_sets_numbers(node: ast.stmt) -> bool:
    """Whether a statement can only change numbers inside weights, or print: it need not be followed.

    So are the loops that start weights: `for m in self.modules(): if isinstance(m, nn.Linear): nn.init.zeros_(m.bias)`.
    """
    if isinstance(node, (ast.For, ast.If, ast.With)):
        return all(only_sets_numbers(each) for each in (*node.body, *getattr(node, "orelse", ())))
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return all(is_number_place(each) for each in targets)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        words = path_of(node.value.func)
        last = words[-1] if words else ""
        starts = "init" in words or last.endswith(("init_", "_init", "init")) or last.startswith(("init", "kaiming", "xavier"))
        return starts or last in HARMLESS or (len(words) > 1 and last.endswith("_") and not last.endswith("__"))
    return isinstance(node, (ast.Pass, ast.Continue)) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def is_number_place(target: ast.expr) -> bool:
    """`m.weight.data`, `p.requires_grad`, `m.weight.data[0]`, a plain name inside such a loop."""
    if isinstance(target, ast.Subscript):
        return is_number_place(target.value)
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(is_number_place(each) for each in target.elts)
    return isinstance(target, ast.Attribute) and target.attr in ONLY_NUMBERS


def path_of(node: ast.expr) -> list[str]:
    """`nn.init.zeros_` as its words."""
    words: list[str] = []
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        if isinstance(node, ast.Attribute):
            words.append(node.attr)
        node = node.func if isinstance(node, ast.Call) else node.value
    return [*([node.id] if isinstance(node, ast.Name) else []), *reversed(words)]


def only_raises(body: Sequence[ast.stmt]) -> bool:
    """Whether statements end in an error and do nothing else that counts."""
    return bool(body) and isinstance(body[-1], ast.Raise)


def has_return(node: ast.stmt) -> bool:
    """Whether a statement may leave the function: a return that is not inside a function of its own."""
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, (ast.Return, ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(each, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(each))
    return False


def forget(node: ast.stmt, scope: Scope, unknown: Unknown, evaluate: Callable[[ast.expr, Scope], Any]) -> None:
    """Whatever a statement that cannot be followed may set or change is not known any more."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            changeable = isinstance(peek(each, scope), (list, dict, set, Container)) and is_touched(each, node)
            if isinstance(each.ctx, ast.Store) or changeable:
                scope.set(each.id, unknown)
        elif isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
            lose(peek(each.value, scope), each.attr, unknown)
        elif isinstance(each, ast.Call):
            forget_call(each, scope, unknown)
        elif isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            scope.set(each.name, unknown)
        elif isinstance(each, (ast.Import, ast.ImportFrom)):
            bring_in(each, scope)  # an import inside `try` still names what it names


def forget_call(node: ast.Call, scope: Scope, unknown: Unknown) -> None:
    """A call that is not followed may change the modules and lists it is called on or gets."""
    words = path_of(node.func)
    if words and (words[-1] in HARMLESS or words[-1].endswith("_") or "init" in words[-1]):
        return
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if owner is not None and words[-1] in SETTERS:
        lose(peek(owner, scope), "*", unknown)
    for argument in node.args:
        value = peek(argument, scope)
        if isinstance(value, Instance) and words and any(word in words[-1].lower() for word in RESHAPERS):
            value.unknown = value.unknown or unknown


def lose(owner: Any, name: str, unknown: Unknown) -> None:
    """An attribute of an object is not known any more; a container that changes is not known whole."""
    if isinstance(owner, Instance):
        if name == "*":
            owner.unknown = owner.unknown or unknown
        else:
            owner.attributes[name] = unknown
    elif isinstance(owner, Container):
        owner.parts["*"] = unknown
    elif isinstance(owner, list):
        owner[:] = [unknown]
    elif isinstance(owner, dict):
        owner["*"] = unknown


def is_touched(name: ast.Name, node: ast.stmt) -> bool:
    """Whether a list or container is changed in a statement, and not only read: stored into, or one of its methods called."""
    for each in ast.walk(node):
        if isinstance(each, ast.Subscript) and each.value is name and not isinstance(each.ctx, ast.Load):
            return True
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.value is name:
            return each.func.attr in SETTERS | {"reverse", "sort", "setdefault", "popitem", "add"}
        if isinstance(each, ast.Call) and name in each.args:
            return True
    return False


def peek(node: ast.expr, scope: Scope) -> Any:
    """The value of a name or of an attribute of a name, without following anything."""
    if isinstance(node, ast.Name):
        try:
            return scope.find(node.id)
        except KeyError:
            return None
    if isinstance(node, ast.Attribute):
        owner = peek(node.value, scope)
        if isinstance(owner, Instance):
            return owner.attributes.get(node.attr)
        if isinstance(owner, Container):
            return owner.parts.get(node.attr)
    return None
