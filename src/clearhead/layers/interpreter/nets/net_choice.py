"""Which net of a file is meant: the one that is named, or the outermost one, by how the file uses it."""

import ast
from collections.abc import Iterator
from difflib import get_close_matches

from clearhead.errors import InputError
from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Scope
from clearhead.layers.interpreter.nets.made_nets import FAULTS, classes_of, follow_functions, from_class, guarded
from clearhead.layers.interpreter.nets.net_arguments import Needs, arguments_of
from clearhead.layers.interpreter.nets.net_candidates import (
    Candidate,
    call_of,
    from_made,
    is_loss,
    is_usable,
    is_usable_class,
    looks_like_a_net,
    made_before,
    parts_inside,
    targets_of,
)
from clearhead.layers.interpreter.source_expressions import evaluate
from clearhead.layers.interpreter.statements import execute
from clearhead.layers.interpreter.unfollowed_code import forget
from clearhead.layers.values.net_parts import Class, Instance, UserFunction, is_module
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown


def choose(tree: ast.Module, scope: Scope, name: str | None, title: str, inputs: int) -> list[Candidate]:
    """The nets to read, the likeliest first."""
    run = scope.run
    found = list(follow_file(tree.body, scope))
    at_file = len(run.made)
    if name is not None:
        named = [each for each in found if each.name == name]
        return named[-1:] or [by_expression(name, scope, title, found, tree)]
    follow_functions(scope)
    found += from_made(run.made[:at_file], found, 3, scope) + from_made(run.made[at_file:], found, 2, scope)
    needs: list[Needs] = []
    built = {id(part.cls) for each in found for part in parts_inside(each.module) if isinstance(part, Instance)}
    built |= named_inside(classes_of(scope))
    made = {id(each.module.cls) for each in found if isinstance(each.module, Instance)}
    for cls in classes_of(scope):
        if is_usable_class(cls) and id(cls) not in built | made and not is_loss(cls):
            candidate = from_class(cls, scope, tree)
            if isinstance(candidate, Needs):
                needs.append(candidate)
            else:
                found.append(candidate)
                built |= {id(part.cls) for part in parts_inside(candidate.module) if isinstance(part, Instance)}
    for each in found:
        each.call = each.call or call_of(each.module)
    usable = [each for each in found if not (each.module is not None and is_loss(each.module))]
    ranked = in_order(usable, built, classes_of(scope), inputs)
    whole = [each for each in ranked if each.unknown is None]
    roots = [each for each in needs if id(each.cls) not in built]
    if roots and all(each.part for each in whole if each.broken is None):  # the outermost net cannot be made without arguments
        raise InputError(nothing(title, roots))
    if not ranked:
        raise InputError(nothing(title, needs))
    return whole + [each for each in ranked if each.unknown is not None]


def nothing(title: str, needs: list[Needs]) -> str:
    if needs:
        last = needs[-1]
        words = ", ".join(last.missing)
        example = ", ".join(f"{each}=…" for each in last.missing)
        return (
            f"{title}: {last.cls.name} (line {last.cls.node.lineno}) needs {words}, and the file does not say which; "
            f'name it with its arguments: --net "{last.cls.name}({example})"'
        )
    return f"{title} holds no net: neither an nn.Sequential nor a class made from nn.Module with a forward."


def in_order(found: list[Candidate], built: set[int], classes: list[Class], inputs: int) -> list[Candidate]:
    """Outermost before parts, used before only defined, later before earlier; each net once."""
    inner = {id(part) for each in found for part in parts_inside(each.module)}
    once: dict[int, Candidate] = {}
    for each in found:
        once.setdefault(id(each.module) if each.module is not None else id(each), each)
    found = [each for each in once.values() if id(each.module) not in inner]
    for each in found:
        cls = each.module.cls if isinstance(each.module, Instance) else None
        inherited = cls is not None and any(cls in other.bases for other in classes)
        each.part = cls is not None and (id(cls) in built or inherited)
    return sorted(found, key=lambda each: (each.part, each.bare, -each.level, -last_line(each, found), each.line))


def last_line(net: Candidate, found: list[Candidate]) -> int:
    """The line of a net; of nets that several functions make from one class, the last: the first of them then leads."""
    if net.level != 2 or not isinstance(net.module, Instance):
        return net.line
    cls = net.module.cls
    return max(each.line for each in found if isinstance(each.module, Instance) and each.module.cls is cls and each.level == 2)


def named_inside(classes: list[Class]) -> set[int]:
    """Classes that another module class of the file names in its body: parts, whether they are made or not."""
    modules = {cls.name: cls for cls in classes if is_usable_class(cls)}
    found: set[int] = set()
    for cls in modules.values():
        for node in ast.walk(cls.node):
            other = modules.get(node.id) if isinstance(node, ast.Name) else None
            if other is not None and other is not cls and other not in cls.bases:
                found.add(id(other))
    return found


def follow_file(body: list[ast.stmt], scope: Scope) -> Iterator[Candidate]:
    """Follow the file statement by statement, and give each net that it makes and names."""
    for statement in body:
        if is_main(statement):
            assert isinstance(statement, ast.If)
            yield from follow_file(statement.body, scope)
            continue
        names = names_set(statement)
        before = [scope.names.get(name) for name in names]
        try:
            if isinstance(statement, ast.Expr):
                value = evaluate(statement.value, scope)
                if is_usable(value):
                    yield Candidate(f"line {statement.lineno}", statement, value, level=3)
                elif isinstance(value, Unknown) and looks_like_a_net(statement):
                    yield Candidate(f"line {statement.lineno}", statement, unknown=value, level=3)
                if not isinstance(value, Unknown):
                    continue
            execute([statement], scope)
        except Broken as broken:
            for name in names:
                scope.names[name] = Unknown(f"it breaks on line {broken.line}: {broken.why}", broken.line)
            if broken.making:
                made = made_before(statement, scope, evaluate)
                yield Candidate(names[0] if names else f"line {statement.lineno}", statement, made, broken, level=3)
            continue
        except Halt as halt:
            forget(statement, scope, halt.unknown, evaluate)
            scope.run.steps = min(scope.run.steps, scope.run.most_steps // 2)
            if looks_like_a_net(statement):
                yield Candidate(names[0] if names else f"line {statement.lineno}", statement, unknown=halt.unknown, level=3)
            continue
        except (NotKnown, Refusal, *FAULTS):
            for name in names:
                scope.names[name] = Unknown(f"line {statement.lineno} is not followed", statement.lineno)
            continue
        for name, old in zip(names, before, strict=True):
            value = scope.names.get(name)
            if value is not old and is_usable(value):
                yield Candidate(name, statement, value, level=3)
            elif isinstance(value, Unknown) and value is not old and looks_like_a_net(statement):
                yield Candidate(name, statement, unknown=value, level=3)


def is_main(statement: ast.stmt) -> bool:
    """`if __name__ == "__main__":`"""
    if not isinstance(statement, ast.If) or not isinstance(statement.test, ast.Compare):
        return False
    return any(isinstance(each, ast.Name) and each.id == "__name__" for each in ast.walk(statement.test))


def names_set(statement: ast.stmt) -> list[str]:
    """The names that a statement may set at its own level."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
        return []
    targets: list[ast.AST] = [*targets_of(statement)] or [statement]
    return list(
        dict.fromkeys(
            each.id
            for target in targets
            for each in ast.walk(target)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        )
    )


def by_expression(text: str, scope: Scope, title: str, found: list[Candidate], tree: ast.Module) -> Candidate:
    """The net that `--net` names: a name, a class, a function, or an expression such as `Net(10)`."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise InputError(f"--net must be a name or an expression such as Net(10), and is {text!r}.") from None
    for each in ast.walk(node):
        if hasattr(each, "lineno"):
            each.lineno = 0
    candidate = Candidate(text.strip(), node, call=text.strip(), level=4)
    if isinstance(node, ast.Name):
        value = scope.names.get(node.id)
        if isinstance(value, Class):
            made = from_class(value, scope, tree)
            if isinstance(made, Needs):
                raise InputError(nothing(title, [made]))
            made.name = text.strip()
            return made
        if isinstance(value, UserFunction):
            arguments = arguments_of(value, scope, tree, node.id)
            if isinstance(arguments, list):
                example = ", ".join(f"{each}=…" for each in arguments)
                raise InputError(f'{title}: {node.id} needs {", ".join(arguments)}; write --net "{node.id}({example})"')
            candidate.node = value.node
            return require_net(guarded(candidate, value, *arguments, scope), title, text)
        if node.id not in scope.names:
            follow_functions(scope)
            inside = [each for each in from_made(scope.run.made, found, 2, scope) if each.name == node.id]
            if inside:
                return inside[-1]
            raise InputError(f"{title} has no net {text!r}{hint(node.id, scope, found)}")
        if is_module(value):
            candidate.module = value
            return candidate
        if isinstance(value, Unknown):
            candidate.unknown = value
            return candidate
        raise InputError(f"{title}: {text} is no net{hint(node.id, scope, found)}")
    words = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    lost = [word for word in words if word not in scope.names and word[:1].isupper()]
    if lost:
        raise InputError(f"{title} has no net {lost[0]!r}{hint(lost[0], scope, found)}")
    function = UserFunction(ast.parse("lambda: None", mode="eval").body, scope)  # type: ignore[arg-type]
    assert isinstance(function.node, ast.Lambda)
    function.node.body = node
    candidate = guarded(candidate, function, [], {}, scope)
    return require_net(candidate, title, text)


def require_net(candidate: Candidate, title: str, text: str) -> Candidate:
    if candidate.module is not None and not is_usable(candidate.module):
        raise InputError(f"{title}: {text} gives something that is no net.")
    return candidate


def hint(name: str, scope: Scope, found: list[Candidate]) -> str:
    names = [each.name for each in found if not each.name.startswith("line ")]
    names += [each.name for each in classes_of(scope) if is_usable_class(each)]
    names += [key for key, value in scope.names.items() if isinstance(value, UserFunction)]
    near = get_close_matches(name, names, n=1)
    return f"; did you mean {near[0]}?" if near else f"; it has {', '.join(dict.fromkeys(names[:8]))}" if names else ""
