"""How the learning rates rise and fall, by tokens seen."""

import math

from clearhead.training.recipes.config import LengthPlan, TrainConfig


def factor(config: TrainConfig, seen: int) -> float:
    """What the rates are multiplied by once `seen` real tokens are done.

    >>> config = TrainConfig(tokens=100, warmup=0.1, decay="linear", decay_start=0.5)
    >>> [factor(config, seen) for seen in (0, 5, 10, 50, 75, 100)]
    [0.1, 0.5, 1.0, 1.0, 0.5, 0.0]
    """
    share = share_done(config, seen)
    if share < config.warmup:
        return max(share / config.warmup, 0.1)  # a rate of 0 would waste the first step
    if config.decay == "none" or share <= config.decay_start:
        return 1.0
    fallen = min(1.0, (share - config.decay_start) / (config.decay_end - config.decay_start))
    left = 1 - fallen if config.decay == "linear" else 0.5 * (1 + math.cos(math.pi * fallen))
    if config.decay == "cosine":  # as the course has it: the floor cuts the curve off
        return max(config.floor, left)
    return config.floor + (1 - config.floor) * left


def share_done(config: TrainConfig, seen: int) -> float:
    """How much of the schedule is done; where the length was planned again, what was left of it goes on over what is left.

    >>> from clearhead.training.recipes.config import LengthPlan
    >>> plans = (LengthPlan(since=0, tokens=100), LengthPlan(since=50, tokens=60))
    >>> [share_done(TrainConfig(tokens=60, plans=plans), seen) for seen in (0, 50, 55, 60)]
    [0.0, 0.5, 0.75, 1.0]
    """
    plans = config.plans or (LengthPlan(since=config.since, tokens=config.tokens),)
    ends = [*(plan.since for plan in plans[1:]), max(seen, plans[-1].since)]
    share = 0.0
    for plan, end in zip(plans, ends, strict=True):
        done, whole = max(min(seen, end) - plan.since, 0), plan.tokens - plan.since
        share += (1 - share) * (done / whole if whole > 0 else 1.0)
    return share
