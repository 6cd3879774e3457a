"""The one loop: a model, a stream of batches and a config in; weights in a run folder out. Resume is exact."""

import math
from collections.abc import Callable
from pathlib import Path

from torch.optim import Optimizer

from clearhead.errors import ConfigError, InputError
from clearhead.models import Model
from clearhead.training.folders.run_folder import CHECKPOINTS, METRICS
from clearhead.training.machines.learner import Learner
from clearhead.training.machines.processes import by_the_first, found_by_the_first, rank, summed, world
from clearhead.training.machines.row_states import take_own_rows
from clearhead.training.recipes.config import TrainConfig
from clearhead.training.steps.batches import Batch
from clearhead.training.steps.checkpoints import Progress, latest, load_checkpoint, save_checkpoint, steps_in
from clearhead.training.steps.loss_log import LossLog, Recorder, Watcher, unrecorded, unwatched
from clearhead.training.steps.metrics import forget_after
from clearhead.training.steps.optimisers import build_optimisers, scale_rates
from clearhead.training.steps.schedule import factor
from clearhead.training.steps.stop_signals import Stopped, asked_to_stop
from clearhead.training.steps.streams import Stream

PATIENCE = 1 / 12  # of the time of a run: after so much without a checkpoint its length is planned again all the same
EXPLODED = 100.0  # times the smallest loss so far, or 1 nat: nothing is learned from there on

Planner = Callable[[TrainConfig, Progress], TrainConfig]
"""What is asked at each checkpoint: how long the run goes on from here. What it answers is written down already."""
HeldOutLoss = Callable[[Learner], float]
"""The mean loss on what is held out; every process must ask."""


def as_planned(config: TrainConfig, progress: Progress) -> TrainConfig:
    """It goes on as it was meant to."""
    return config


def train(
    model: Model,
    batches: Stream,
    config: TrainConfig,
    folder: Path,
    watch: Watcher = unwatched,
    note: Callable[[str], None] = lambda text: None,
    *,
    save_first: bool = False,
    seed: int = 0,
    shard: bool = False,
    plan: Planner = as_planned,
    held_out: HeldOutLoss | None = None,
    keep: Recorder = unrecorded,
) -> Progress:
    """Train up to `config.tokens`, from the last good checkpoint of the folder if there is one.

    With `save_first` there is a checkpoint after the first step too: from there on what the weights started from is not needed.
    """
    require_rows(model, config)
    learner = Learner(model, config, shard)
    optimisers = build_optimisers(model, config)
    progress = resume(learner, optimisers, batches, folder, note)
    take_own_rows(model)
    model.train()
    log = LossLog(folder / METRICS, config.tokens, progress, watch, rank() == 0, keep)
    exploded, planned = math.inf, log.seconds
    with asked_to_stop() as stop:
        while progress.tokens < config.tokens:
            batch = batches.next()
            scale_rates(optimisers, factor(config, progress.tokens))
            learner.draw_anew(seed, progress.step)
            loss = one_step(learner, optimisers, batch, config)
            if not math.isfinite(loss) or loss > exploded:
                raise InputError(diverged(loss, progress.step + 1, folder))
            exploded = min(exploded, EXPLODED * max(loss, 1.0))
            progress.step += 1
            progress.tokens += batch.tokens
            log.add(loss, batch.tokens)
            waited = config.seconds > 0 and rank() == 0 and log.seconds - planned > PATIENCE * config.seconds
            stopping, overdue = (votes > 0 for votes in summed([stop.is_set(), waited]))  # what one says holds for all
            if overdue and not stopping and not is_due(progress.step, config.save_every, False):
                progress.seconds = log.seconds
                config = plan(config, progress)
                log.total, planned = config.tokens, log.seconds
            ended = progress.tokens >= config.tokens
            best = held_out is not None and is_due(progress.step, config.validate_every, ended)
            best = best and held_out is not None and is_best(held_out(learner), progress, log)
            due = is_due(progress.step, config.save_every, ended)
            if stopping or due or best or (save_first and progress.step == 1):
                log.flush()
                progress.seconds = log.seconds
                if due and not ended and not stopping:  # a stretch of some steps; the pace of one says nothing
                    config = plan(config, progress)
                    log.total, planned = config.tokens, log.seconds
                saved = save_checkpoint(folder / CHECKPOINTS, model, optimisers, progress, batches.position, learner.scaler)
                if stopping and progress.tokens < config.tokens:
                    raise Stopped(saved)
    model.train(False)
    return progress


def one_step(learner: Learner, optimisers: list[Optimizer], batch: Batch, config: TrainConfig) -> float:
    """Loss of a batch, gradients, clipping, update; the loss, or no number where the weights were left as they are."""
    freeze(learner.model, batch.frozen)
    value = learner.gradients(batch)
    sound = math.isfinite(value) and learner.step(optimisers, config.clip)  # a finite loss can have a gradient that is not
    for optimiser in optimisers:
        optimiser.zero_grad(set_to_none=True)
    return value if sound else math.nan if math.isfinite(value) else value


def is_due(step: int, every: int, ended: bool) -> bool:
    """Whether something that is done every so many steps, and at the end, is done now; 0: never."""
    return every > 0 and (ended or step % every == 0)


def is_best(loss: float, progress: Progress, log: LossLog) -> bool:
    """Write down the loss on what is held out; whether it was never smaller."""
    log.look(loss)
    if progress.best_loss is not None and loss >= progress.best_loss:
        return False
    progress.best_loss, progress.best_step = loss, progress.step
    return True


def require_rows(model: Model, config: TrainConfig) -> None:
    """Refuse to cut the rows of a model that carries a state for each further than there are rows."""
    if not model.row_states():
        return
    rows = min(model.get_buffer(name).shape[axis] for name, axis in model.row_states().items())
    if config.accumulate > 1:
        raise ConfigError("a model that carries a state from batch to batch is worked in one part; set training.accumulate=1.")
    if rows < world():
        raise ConfigError(f"{world()} processes cannot share {rows} lanes; take fewer processes, or more lanes.")


def freeze(model: Model, parts: tuple[str, ...]) -> None:
    """Let the named parts of a model be read but not changed, and every other part learn."""
    for name, weight in model.named_parameters():
        weight.requires_grad_(not name.startswith(parts) if parts else True)


def resume(
    learner: Learner, optimisers: list[Optimizer], batches: Stream, folder: Path, note: Callable[[str], None]
) -> Progress:
    """Take up the newest good checkpoint of a folder, or start from nothing."""
    checkpoint, notes = found_by_the_first(lambda: latest(folder / CHECKPOINTS))
    for text in notes:
        note(f"{text} Going on from an older one.")
    if checkpoint is None:
        by_the_first(lambda: begin_metrics(folder))
        return Progress()
    progress, position = load_checkpoint(checkpoint, learner.model, optimisers, learner.scaler)
    batches.go_to(position)
    by_the_first(lambda: forget_after(folder / METRICS, progress.step))
    note(f"going on from {checkpoint}")
    return progress


def begin_metrics(folder: Path) -> None:
    """An empty file of metrics in a folder that is there."""
    folder.mkdir(parents=True, exist_ok=True)
    forget_after(folder / METRICS, -1)


def diverged(loss: float, step: int, folder: Path) -> str:
    """One sentence on a loss that is no number, or as good as none."""
    steps = steps_in(folder / CHECKPOINTS)
    last = f"the last good checkpoint is {folder / CHECKPOINTS / str(steps[-1])}" if steps else "nothing was saved yet"
    return f"the loss became {loss:.3g} at step {step}; {last}. Try lower rates in another folder."
