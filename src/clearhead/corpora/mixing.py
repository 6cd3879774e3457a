"""Several sources as one, in fixed shares."""

from collections.abc import Sequence

from clearhead.corpora.drawing import Example, Source
from clearhead.errors import ConfigError


class Mixed:
    """Sources mixed in shares of the examples, spread evenly: an epoch is one pass over the first source.

    The others go on where the last epoch left them, so that each gets through all of its examples in turn.
    """

    def __init__(self, sources: Sequence[Source], shares: Sequence[float]) -> None:
        require_shares(sources, shares)
        total = len(sources[0]) * sum(shares) / shares[0]
        self._sources = tuple(sources)
        self._slots = [len(sources[0]), *(max(1, round(total * share / sum(shares))) for share in shares[1:])]
        places = ((place, which) for which, slots in enumerate(self._slots) for place in range(slots))
        self._order = sorted(places, key=lambda slot: ((slot[0] + 0.5) / self._slots[slot[1]], slot[1]))

    def __len__(self) -> int:
        return len(self._order)

    def draw(self, index: int, epoch: int, seed: int) -> Example:
        place, which = self._order[index]
        source = self._sources[which]
        passes, inside = divmod(epoch * self._slots[which] + place, len(source))
        return source.draw(inside, passes, seed + which)


def require_shares(sources: Sequence[Source], shares: Sequence[float]) -> None:
    """Refuse a mixture that cannot be."""
    if len(sources) != len(shares) or not sources:
        raise ConfigError(f"each source needs one share: {len(sources)} sources, {len(shares)} shares.")
    if min(shares) <= 0:
        raise ConfigError(f"shares must be above 0; got {list(shares)}. Leave out a source that is not wanted.")
    empty = [place for place, source in enumerate(sources, 1) if len(source) == 0]
    if empty:
        raise ConfigError(f"a source to mix must hold examples; source {empty[0]} of {len(sources)} is empty.")
