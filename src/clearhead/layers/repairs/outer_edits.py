"""A layer inside a block or a helper gets its sizes from outside: the edit belongs to the call that brought the wrong size."""

import ast
from collections.abc import Iterator
from typing import Any

from clearhead.layers.source.edits import Edit
from clearhead.layers.source.fixes import Fix, Refused, SetArgument, argument_of, as_names, is_sayable
from clearhead.layers.source.syntax_tree import line_starts, span


def outer_edits(fix: Fix, at: Refused, text: str) -> Iterator[Edit]:
    """Edits of the calls inside which a layer was made, the outermost first, that give its argument another value."""
    if not isinstance(fix, SetArgument) or not fix.value.isdigit() or not at.trail:
        return
    wanted = int(fix.value)
    expression = argument_of(at.node, fix.name, at.order)
    steps: list[tuple[ast.expr, int, dict[str, int]]] = []
    for frame in reversed(at.trail):  # from the innermost call outwards, as long as the size is handed on
        found = parameter_in(expression, frame.function)
        if found is None:
            break
        name, factor = found
        value = wanted // factor if factor > 0 else wanted * -factor
        if factor > 0 and wanted % factor:
            break
        expression = given_for(frame.call, name, frame)
        if expression is None:
            break
        steps.append((expression, value, frame.names))
        wanted = value
    starts = line_starts(text)
    for node, value, names in reversed(steps):
        if is_sayable(str(value)):
            yield Edit(*span(node, starts), as_names(str(value), node, names))


def parameter_in(expression: Any, function: ast.AST) -> tuple[str, int] | None:
    """The parameter that an argument hands on, with a whole factor: `width`, `2 * width`, `width // 2` (a negative factor)."""
    names = {each.arg for each in getattr(function, "args", ast.arguments([], [], None, [], [], None, [])).args}
    if isinstance(expression, ast.Name) and expression.id in names:
        return expression.id, 1
    if isinstance(expression, ast.Call) and getattr(expression.func, "id", "") == "int" and len(expression.args) == 1:
        return parameter_in(expression.args[0], function)
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, (ast.Mult, ast.FloorDiv, ast.Div)):
        for one, other in ((expression.left, expression.right), (expression.right, expression.left)):
            if (
                isinstance(one, ast.Name)
                and one.id in names
                and isinstance(other, ast.Constant)
                and isinstance(other.value, int)
            ):
                if other.value < 1:
                    return None
                if isinstance(expression.op, ast.Mult):
                    return one.id, other.value
                return (one.id, -other.value) if one is expression.left else None
    return None


def given_for(call: ast.AST, name: str, frame: Any) -> ast.expr | None:
    """What a call gives for a parameter of the function it calls."""
    if not isinstance(call, ast.Call):
        return None
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [each.arg for each in frame.function.args.args]
    names = names[1:] if frame.bound is not None else names
    place = names.index(name) if name in names else len(call.args)
    return call.args[place] if place < len(call.args) else None
