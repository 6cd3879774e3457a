"""Places in a source as a running program knows them (lines and columns) -> the nodes of its syntax tree."""

import ast
from typing import Any


class Places:
    """The calls, functions and statements of a source, by where they stand."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.nodes: dict[tuple[Any, ...], ast.AST] = {}
        self.functions: dict[tuple[str, int], ast.FunctionDef] = {}
        self.statements: dict[int, ast.AST] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.Call, ast.BinOp, ast.Subscript, ast.AugAssign)):
                self.nodes[(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)] = node
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                self.functions[(node.name, first)] = node
            if isinstance(node, ast.stmt):
                self.statements.setdefault(node.lineno, node)

    def exact(self, place: dict[str, Any] | None) -> ast.AST | None:
        """The expression that stands exactly there."""
        if place is None:
            return None
        return self.nodes.get((place["line"], place["column"], place["end_line"], place["end_column"]))

    def call(self, place: dict[str, Any] | None) -> ast.AST | None:
        """The call that stands there, or the statement of that line."""
        return self.exact(place) or self.statement(place)

    def statement(self, place: dict[str, Any] | None) -> ast.AST | None:
        return None if place is None else self.statements.get(place["line"])

    def function(self, frame: dict[str, Any]) -> ast.FunctionDef | None:
        """The function that a frame is in."""
        return self.functions.get((frame["function"], frame["first"]))

    def definition(self, name: str) -> ast.AST:
        """The class or function of a name, or the first line."""
        for node in self.tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
                return node
        return self.tree.body[0] if self.tree.body else ast.Pass(lineno=1, col_offset=0)
