"""Imports: a name stands for what it names; nothing is imported."""

import ast

from clearhead.layers.interpreter.interpreter_state import Scope
from clearhead.layers.laws import LAWS
from clearhead.layers.values.tensors import Function
from clearhead.layers.values.word_lists import words

MODULES = "Module Sequential ModuleList ModuleDict ParameterList ParameterDict Parameter"
STARS: dict[str, frozenset[str]] = {
    "torch.nn": words(MODULES) | frozenset(LAWS),
    "torch": words("nn cat stack zeros ones randn rand tensor arange matmul flatten einsum Tensor"),
    "torch.nn.functional": words("relu softmax log_softmax dropout max_pool2d avg_pool2d interpolate pad gelu sigmoid tanh"),
    "math": words("sqrt log floor ceil pi prod exp sin cos pow"),
    "collections": words("OrderedDict namedtuple defaultdict"),
}


def bring_in(node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
    """Names of imports stand for what they name; `from torch.nn import *` brings the layers."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            scope.set(alias.asname or name, Function(name))
        elif alias.name == "*":
            module = "torch.nn" if (node.module or "").startswith("torch.nn.modules") else node.module or ""
            for each in STARS.get(module, ()) if not node.level else ():
                scope.set(each, Function(f"{module}.{each}"))
        else:
            scope.set(alias.asname or alias.name, Function(f"{'.' * node.level}{node.module or ''}.{alias.name}"))
