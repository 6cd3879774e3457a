"""Tensors that are cut among processes, to one safetensors file and back: every process writes and reads its own parts."""

import shutil
from pathlib import Path

from torch import Tensor

from clearhead.training.machines.processes import by_the_first


def write_cut(file: Path, tensors: dict[str, Tensor]) -> None:
    """Each process writes its parts, and the parts are then put together to one file; every process must take part."""
    from torch.distributed.checkpoint.api import CheckpointException
    from torch.distributed.checkpoint.hf_storage import HuggingFaceStorageWriter
    from torch.distributed.checkpoint.state_dict_saver import save

    shards = file.with_suffix(".parts")
    writer = HuggingFaceStorageWriter(
        str(shards), fqn_to_index_mapping=dict.fromkeys(tensors, 1), save_distributed=True, enable_consolidation=True
    )
    try:
        save(dict(tensors), storage_writer=writer)
    except CheckpointException as error:
        raise OSError(f"{next(iter(error.failures.values()))}") from error
    by_the_first(lambda: take_whole(shards, file))


def take_whole(shards: Path, file: Path) -> None:
    """The one file that the parts were put together to, in its place; the parts go."""
    (whole,) = shards.glob("*.safetensors")
    whole.replace(file)
    shutil.rmtree(shards)


def read_cut(folder: Path, tensors: dict[str, Tensor]) -> None:
    """Fill tensors, cut or whole, from the safetensors files of a folder; each process reads its own parts."""
    from torch.distributed.checkpoint.hf_storage import HuggingFaceStorageReader
    from torch.distributed.checkpoint.state_dict_loader import load

    load(tensors, storage_reader=HuggingFaceStorageReader(str(folder)))
