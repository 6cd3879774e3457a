"""Names that a source may use without defining them: Python's own, and the habits of snippets without imports."""

BUILTINS = (
    "range len int float bool str list tuple dict set frozenset zip enumerate reversed sorted sum min max abs round pow "
    "divmod map filter "
    "any all print super setattr getattr hasattr delattr isinstance issubclass type callable iter next id vars repr "
    "object property staticmethod classmethod open input exit NotImplemented NotImplementedError ValueError TypeError "
    "RuntimeError KeyError Exception ImportError AssertionError AttributeError IndexError StopIteration"
)
NAMES: dict[str, str] = {name: name for name in BUILTINS.split()} | {
    "torch": "torch",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "np": "numpy",
    "math": "math",
    "OrderedDict": "collections.OrderedDict",
    "collections": "collections",
    "copy": "copy",
    "functools": "functools",
}
