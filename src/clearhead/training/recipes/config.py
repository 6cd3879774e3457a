"""How one training run goes: length, batches, rates."""

from dataclasses import dataclass
from typing import Literal, get_args

from clearhead.errors import ConfigError

Decay = Literal["none", "linear", "cosine"]
Tables = Literal["adam", "rows"]
Precision = Literal["float32", "bfloat16", "float16"]


@dataclass(frozen=True, kw_only=True)
class LengthPlan:
    """How long a run is to be, from some token on."""

    since: int  # tokens that were done when it was made
    tokens: int  # in all


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """Everything about the loop itself; lengths are counted in real tokens, pads left out."""

    tokens: int  # how long to train
    batch: int = 4096  # tokens of one step, its pads included
    examples: int = 0  # examples of one step at most; 0: as many as fit
    pool: int = 2048  # examples that are sorted by length together
    rate: float = 6e-3  # of AdamW
    matrix_rate: float = 0.0  # of Muon, for the matrices of the blocks; 0: they go to AdamW too
    table_rate: float = 0.02  # of tables of which a step touches a few rows
    tables: Tables = "adam"  # how these move: adam keeps two numbers for each of theirs, rows one for each row
    warmup: float = 0.02  # share of the tokens over which the rates rise
    decay: Decay = "linear"
    decay_start: float = 0.5  # share of the tokens after which the rates fall ...
    decay_end: float = 1.0  # ... and at which they have reached the floor
    floor: float = 0.0  # share of the rates that is left at the end
    weight_decay: float = 0.0
    clip: float = 1.0  # largest norm of all gradients together
    save_every: int = 500  # steps between two checkpoints
    validate_every: int = 0  # steps between two looks at what is held out; 0: none
    compile: bool = False
    precision: Precision = "float32"  # of products; weights and sums are float32 always
    accumulate: int = 1  # parts that a step is worked in, one after the other: the same step in less memory
    recompute: bool = False  # work out again what blocks say on the way back, instead of keeping it: less memory, more time
    seconds: float = 0.0  # that training may take, all sittings together; tokens follow the pace at each checkpoint; 0: as long
    plans: tuple[LengthPlan, ...] = ()  # the lengths so far, the first and those that followed; none: it was never another one
    since: int = 0  # tokens that were done when these settings began to hold: rates rise and fall from there on

    def __post_init__(self) -> None:
        least_one = ("tokens", "batch", "pool", "save_every", "accumulate")
        if min(getattr(self, name) for name in least_one) < 1:
            got = ", ".join(str(getattr(self, name)) for name in least_one)
            raise ConfigError(f"{', '.join(least_one)} must be at least 1; got {got}.")
        if self.tables not in get_args(Tables):
            raise ConfigError(f"tables={self.tables!r} is not known; ways: {', '.join(get_args(Tables))}.")
        if self.precision not in get_args(Precision):
            raise ConfigError(f"precision={self.precision!r} is not known; precisions: {', '.join(get_args(Precision))}.")
        if not 0 <= self.since < self.tokens:
            raise ConfigError(f"tokens must be more than the {self.since:,} that were done before; got {self.tokens:,}.")
        if min(self.examples, self.validate_every) < 0:
            raise ConfigError(f"examples and validate_every must not be negative; got {self.examples}, {self.validate_every}.")
        if self.decay not in get_args(Decay):
            raise ConfigError(f"decay={self.decay!r} is not known; decays: {', '.join(get_args(Decay))}.")
        if min(self.rate, self.matrix_rate, self.table_rate, self.weight_decay, self.seconds) < 0 or self.clip <= 0:
            raise ConfigError("rates, weight_decay and seconds must not be negative, and clip must be above 0.")
        if not (0 <= self.warmup <= 1 and 0 <= self.decay_start < self.decay_end and 0 <= self.floor <= 1):
            raise ConfigError(
                "warmup and floor are shares from 0 to 1, and decay_start must come before decay_end; "
                f"got {self.warmup}, {self.floor}, {self.decay_start}, {self.decay_end}."
            )
