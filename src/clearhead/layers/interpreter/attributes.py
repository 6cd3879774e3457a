"""What stands behind a dot: `nn.Linear`, `self.conv`, `x.shape`, `x.view`."""

import math
from typing import Any

from clearhead.layers.laws.reshapes import permuted
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer, Method, Super, UserFunction, is_module_class
from clearhead.layers.values.refusals import NotKnown, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor
from clearhead.layers.values.word_lists import words

MODULE_METHODS = words(
    "eval train to cuda cpu float double half bfloat16 apply requires_grad_ add_module append extend insert "
    "register_buffer register_parameter children named_children modules named_modules parameters named_parameters "
    "items values keys forward register_module load_state_dict state_dict zero_grad register_forward_hook "
    "register_full_backward_hook pop update clear type share_memory get_submodule __init__ __call__ __setattr__ "
    "__getattr__ buffers named_buffers init_weights register_forward_pre_hook register_backward_hook compile log "
    "log_dict save_hyperparameters"
)
CONSTANTS: dict[str, Any] = {
    "math.pi": math.pi,
    "math.e": math.e,
    "math.inf": math.inf,
    "numpy.pi": math.pi,
    "numpy.inf": math.inf,
    "torch.pi": math.pi,
}
CONSTANTS |= {
    "torch.inf": math.inf,
    "sys.maxsize": 2**31,
    "typing.TYPE_CHECKING": False,
    "torch.__version__": "2.13.0",
    "numpy.newaxis": None,
}
WIDE_ARGUMENTS = ("kernel_size", "stride", "padding", "dilation", "output_padding")


def attribute(owner: Any, name: str, line: int) -> Any:
    """The attribute of a value, as far as it is known."""
    if isinstance(owner, Unknown):
        return owner
    if isinstance(owner, Function):
        full = f"{owner.name}.{name}"
        return CONSTANTS[full] if full in CONSTANTS else Function(full)
    if isinstance(owner, Parameter):
        owner = owner.tensor
    if isinstance(owner, Tensor):
        return of_tensor(owner, name)
    if isinstance(owner, Instance):
        return of_instance(owner, name, line)
    if isinstance(owner, Super):
        return of_super(owner, name)
    if isinstance(owner, Class):
        return of_class(owner, name, line)
    if isinstance(owner, Layer):
        return of_layer(owner, name, line)
    if isinstance(owner, Container):
        return of_container(owner, name, line)
    if isinstance(owner, UserFunction) and name == "__name__":
        return getattr(owner.node, "name", "<lambda>")
    return Method(owner, name)


def of_tensor(x: Tensor, name: str) -> Any:
    if name == "shape":
        return x.shape
    if name == "ndim":
        return len(x.shape)
    if name in ("T", "mT", "H", "mH") and (len(x.shape) >= 2 or name == "T"):
        order = list(range(len(x.shape)))
        order = order[::-1] if name in ("T", "H") else [*order[:-2], order[-1], order[-2]]
        return permuted(x, tuple(order))
    if name == "dtype":
        return Function("torch.int64" if x.whole else "torch.float32")
    if name == "device":
        return Function("torch.device")
    if name in ("data", "real", "grad"):
        return x
    if name == "is_cuda":
        return False
    if name == "requires_grad":
        return True
    return Method(x, name)


def of_layer(owner: Layer, name: str, line: int) -> Any:
    """An argument of a layer as torch keeps it, or one of its parameters."""
    if name in owner.held:
        return owner.held[name]
    if name in ("weight", "bias") and owner.unknown:
        raise NotKnown(owner.unknown, line)
    if name in owner.arguments:
        value = owner.arguments[name]
        axes = next((int(letter) for letter in owner.kind if letter.isdigit()), 0)
        if name in WIDE_ARGUMENTS and isinstance(value, int) and "Conv" in owner.kind:
            return (value,) * axes
        return value
    if name == "training":
        return True
    if name == "__class__":
        return Function(f"torch.nn.{owner.kind}")
    if name in MODULE_METHODS:
        return Method(owner, name)
    if name in ("running_mean", "running_var") and "num_features" in owner.arguments:
        return Tensor((owner.arguments["num_features"],), strides=(1,))
    raise NotKnown(f"`.{name}` of {owner.kind} on line {line} is not followed")


def of_container(owner: Container, name: str, line: int) -> Any:
    if name in owner.parts:
        return owner.parts[name]
    if name in owner.attributes:
        return owner.attributes[name]
    if name == "_modules":
        return owner.parts
    if name == "training":
        return True
    if "*" in owner.parts:
        return owner.parts["*"]
    if name not in MODULE_METHODS:
        raise NotKnown(f"`.{name}` of {owner.kind} on line {line} is not followed")
    return Method(owner, name)


def of_instance(owner: Instance, name: str, line: int) -> Any:
    if name in owner.attributes:
        return owner.attributes[name]
    found = owner.cls.find(name)
    if found is not None:
        value, cls = found
        return bound(value, cls, owner) if isinstance(value, UserFunction) else value
    inner = owner.attributes.get("*parts", owner.attributes.get("*layer"))
    if inner is not None and name not in ("forward", "__init__", "__call__"):
        try:
            return attribute(inner, name, line)
        except NotKnown:
            pass
    if name == "__class__":
        return owner.cls
    if name == "__dict__":
        return owner.attributes
    if name == "_modules":
        return {key: value for key, value in owner.attributes.items() if isinstance(value, (Layer, Container, Instance))}
    if is_module_class(owner.cls):
        if name == "training":
            return True  # as a net is when it has just been made
        if name == "device":
            return Function("torch.device")
        if name in MODULE_METHODS:
            return Method(owner, name)
    if owner.unknown is not None:
        raise NotKnown(owner.unknown.why, owner.unknown.line)
    fallback = owner.cls.find("__getattr__")
    if fallback is not None:
        raise NotKnown(f"`.{name}` on line {line} comes from __getattr__, which is not followed")
    if owner.cls.fields and name in ("_replace", "_asdict"):
        return Method(owner, name)
    raise NotKnown(f"`.{name}` on line {line} is not set by {owner.cls.name} in this file")


def bound(value: UserFunction, cls: Class, owner: Any) -> UserFunction:
    """A function of a class as a method: bound to the object, to its class, or to nothing."""
    to = (
        None
        if value.role == "static"
        else (owner.cls if isinstance(owner, Instance) else owner)
        if value.role == "class"
        else owner
    )
    role = "property" if value.role == "property" else ""
    return UserFunction(value.node, value.scope, cls, to, value.defaults, role, value.unknown)


def of_super(owner: Super, name: str) -> Any:
    """What stands behind `super()`: the next class in the order of the object's own class."""
    instance = owner.instance
    order = instance.cls.order() if isinstance(instance, Instance) else owner.cls.order()
    behind = order[order.index(owner.cls) + 1 :] if owner.cls in order else order[1:]
    for base in behind:
        if isinstance(base, Class) and name in base.frame:
            value = base.frame[name]
            return bound(value, base, instance) if isinstance(value, UserFunction) else value
    return Method(owner, name)


def of_class(owner: Class, name: str, line: int) -> Any:
    if name in ("__name__", "__qualname__"):
        return owner.name
    found = owner.find(name)
    if found is None:
        if name in ("__init__", "forward"):
            root = owner.root()
            return Function(f"{getattr(root, 'name', 'object')}.{name}")
        raise NotKnown(f"`{owner.name}.{name}` on line {line} is not defined in this file")
    value, cls = found
    if not isinstance(value, UserFunction):
        return value
    return bound(value, cls, owner) if value.role == "class" else UserFunction(
        value.node, value.scope, cls, None, value.defaults, "", value.unknown
    )  # fmt: skip
