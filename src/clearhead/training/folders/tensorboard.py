"""Every figure of a run as TensorBoard reads it, beside its metrics."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clearhead.errors import MissingExtraError
from clearhead.training.machines.processes import rank
from clearhead.training.steps.loss_log import Recorder, unrecorded

FOLDER = "tensorboard"
NAMES = {"loss": "loss/training", "held_out_loss": "loss/held_out", "tokens_per_second": "speed/tokens_per_second"}


@contextmanager
def recorder(folder: Path, wanted: bool) -> Iterator[Recorder]:
    """Keeps each line of the metrics as an event by its tokens, in RUN/tensorboard; only the first process does."""
    if not wanted or rank() > 0:
        yield unrecorded
        return
    try:
        from tensorboardX import SummaryWriter
    except ImportError:
        raise MissingExtraError("TensorBoard's files need tensorboardX; install it: pip install tensorboardX.") from None
    with SummaryWriter(str(folder / FOLDER)) as events:

        def keep(record: dict[str, Any]) -> None:
            for key, name in NAMES.items():
                if key in record:
                    events.add_scalar(name, record[key], record["tokens"])

        yield keep
