"""`isinstance` and `type`: what kind of thing a value is, as Python and torch name it."""

from typing import Any

from clearhead.layers.values.net_parts import Class, Container, Instance, Layer, UserFunction, is_module, is_module_class
from clearhead.layers.values.refusals import NotKnown, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor

MANY: tuple[type, ...] = (list, tuple, dict, set, str)
PLAIN: dict[str, tuple[type, ...]] = {kind.__name__: (kind,) for kind in (int, float, str, bool, list, tuple, dict, set)} | {
    "collections.abc.Iterable": MANY,
    "collections.Iterable": MANY,
    "typing.Iterable": MANY,
    "typing.List": (list,),
    "typing.Tuple": (tuple,),
    "typing.Sequence": (list, tuple),
    "collections.abc.Sequence": (list, tuple, str),
    "collections.abc.Mapping": (dict,),
    "collections.OrderedDict": (dict,),
    "numbers.Number": (int, float),
    "numbers.Integral": (int,),
    "types.FunctionType": (UserFunction,),
    "torch.Size": (tuple,),
}
SHORT = {name.rpartition(".")[2]: kinds for name, kinds in PLAIN.items()}
TENSORS = {"torch.Tensor", "torch.FloatTensor", "torch.autograd.Variable", "torch.autograd.variable.Variable"}
FAMILIES: dict[str, tuple[str, ...]] = {
    "_ConvNd": ("Conv",),
    "_BatchNorm": ("BatchNorm",),
    "_NormBase": ("BatchNorm", "InstanceNorm"),
    "_InstanceNorm": ("InstanceNorm",),
    "_DropoutNd": ("Dropout",),
    "RNNBase": ("RNN", "LSTM", "GRU"),
    "_MaxPoolNd": ("MaxPool",),
    "_AvgPoolNd": ("AvgPool",),
    "_ConvTransposeNd": ("ConvTranspose",),
}


def is_instance(value: Any, kind: Any, line: int, whole: bool = True) -> bool:
    """Whether a value (or, with whole=False, a class) is of a kind or one of several."""
    if isinstance(kind, (tuple, list)):
        return any(is_instance(value, each, line, whole) for each in kind)
    if isinstance(value, Unknown) or isinstance(kind, Unknown):
        unknown = value if isinstance(value, Unknown) else kind
        raise NotKnown(unknown.why, unknown.line)
    if not whole:
        return is_subclass(value, kind, line)
    if isinstance(kind, Class):
        return isinstance(value, Instance) and kind in value.cls.order()
    if not isinstance(kind, Function):
        raise NotKnown(f"the kind asked for on line {line} is not known")
    name = kind.name
    plain = PLAIN.get(name) or (SHORT.get(name) if "." not in name else None)
    if plain is not None:
        return isinstance(value, plain) and not (plain == (int,) and isinstance(value, bool) and name == "numbers.Integral")
    if name in TENSORS or name.endswith(".Tensor"):
        return isinstance(value, (Tensor, Parameter))
    if name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
        return isinstance(value, Parameter)
    if name.startswith("torch.nn."):
        return is_of_torch(value, name.rpartition(".")[2])
    if isinstance(value, (int, float, str, list, tuple, dict, type(None))):
        return False  # no plain value is of a class from elsewhere
    if isinstance(value, Instance):
        return any(isinstance(base, Function) and base.name == name for base in value.cls.order())
    if isinstance(value, (Layer, Container, Tensor, Parameter)):
        return False
    raise NotKnown(f"whether something is a `{name}` on line {line} is not known")


def is_of_torch(value: Any, short: str) -> bool:
    """Whether a value is a layer of torch of this kind, or of a family of kinds."""
    if short == "Module":
        return is_module(value)
    kind = value.kind if isinstance(value, (Layer, Container)) else ""
    if isinstance(value, Instance):
        kind = getattr(value.cls.root(), "name", "").rpartition(".")[2]
    family = FAMILIES.get(short)
    return kind == short or (family is not None and kind.startswith(family))


def is_subclass(value: Any, kind: Any, line: int) -> bool:
    if isinstance(value, Class):
        if isinstance(kind, Function):
            if kind.name == "torch.nn.Module":
                return is_module_class(value)
            return any(isinstance(base, Function) and base.name == kind.name for base in value.order())
        return kind in value.order()
    if isinstance(value, Function) and isinstance(kind, Function):
        return value.name == kind.name or (kind.name == "torch.nn.Module" and value.name.startswith("torch.nn."))
    raise NotKnown(f"whether one class is made from another on line {line} is not known")


def kind_of(value: Any, line: int) -> Any:
    """`type(value)`."""
    if isinstance(value, Unknown):
        return value
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, (Layer, Container)):
        return Function(f"torch.nn.{value.kind}")
    if isinstance(value, (Tensor, Parameter)):
        return Function("torch.Tensor" if isinstance(value, Tensor) else "torch.nn.Parameter")
    if isinstance(value, (int, float, str, list, tuple, dict, set)):
        return Function(type(value).__name__)
    raise NotKnown(f"the kind of something on line {line} is not known")
