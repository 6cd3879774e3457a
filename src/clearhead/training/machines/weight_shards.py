"""Weights cut among the processes (FSDP2): each holds a part of every tensor, and the whole of a block only while it works."""

from collections.abc import Mapping

from torch import Tensor, nn

from clearhead.errors import ConfigError
from clearhead.models import Model
from clearhead.training.machines.processes import world

OTHERWISE = "let every process have all weights"
SHELL = "(without --shard)"


def require_dense(model: Model, precision: str) -> None:
    """Refuse what cannot be cut: tables with sparse gradients, and a loss that is scaled for float16."""
    if model.tables():
        raise ConfigError(f"tables with sparse gradients cannot be cut among processes; {OTHERWISE}.", SHELL)
    if model.row_states():
        raise ConfigError(f"a model that carries a state from batch to batch cannot be cut; {OTHERWISE}.", SHELL)
    if precision == "float16":
        raise ConfigError("weights cut among processes go with float32 or bfloat16; set training.precision to one of them.")


def shard_weights(losses: nn.Module, model: Model) -> None:
    """Cut the weights of each block, and then all the rest, among all processes; alone, nothing is cut."""
    if world() == 1:
        return
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    mesh = init_device_mesh(model.device.type, (world(),))  # said outright: where nothing is said, torch looks for GPUs
    for block in model.compilable():
        fully_shard(block, mesh=mesh)
    fully_shard(losses, mesh=mesh)


def is_sharded(losses: nn.Module) -> bool:
    """Whether the weights of a module are cut among processes."""
    return hasattr(losses, "set_requires_gradient_sync")


def add_up(losses: nn.Module, wanted: bool) -> None:
    """Say whether the next gradients of cut weights are added up over the processes at once, or with those that follow."""
    losses.set_requires_gradient_sync(wanted)  # type: ignore[operator]  # is_sharded was asked


def is_cut(tensor: Tensor) -> bool:
    """Whether a process holds only a part of a tensor; asked without loading torch's tensors of many processes."""
    return hasattr(tensor, "full_tensor")


def any_cut(tensors: Mapping[str, Tensor]) -> bool:
    """Whether any of some tensors is cut among processes."""
    return any(is_cut(tensor) for tensor in tensors.values())


def whole(tensor: Tensor) -> Tensor:
    """A tensor with the parts of all processes; every process must ask."""
    gathered: Tensor = tensor.full_tensor() if is_cut(tensor) else tensor  # type: ignore[attr-defined]
    return gathered


def cut_like(tensor: Tensor, like: Tensor) -> Tensor:
    """A whole tensor, the same on every process, cut as another one is."""
    if not is_cut(like):
        return tensor
    from torch.distributed.tensor import DTensor, distribute_tensor

    assert isinstance(like, DTensor)
    return distribute_tensor(tensor, like.device_mesh, like.placements, src_data_rank=None)
