"""What is not known, and what torch would refuse: the reasons that travel with an analysis."""

from dataclasses import dataclass
from typing import Any

from clearhead.layers.source.fixes import Fix


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that the source does not tell, and why."""

    why: str
    line: int


class Refusal(Exception):
    """Torch would refuse this here; `why` says it in numbers, and each fix is an edit that may mend it."""

    def __init__(self, why: str, *fixes: Fix, sizes: tuple[int, int] | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.fixes = fixes
        self.sizes = sizes  # two sizes that should be one


class NotKnown(Exception):
    """The source does not tell; carries the Unknown that stands for it from here on."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(why)
        self.why = why
        self.line = line


class WrongInput(Exception):
    """The input was set up the other way round from what the first layer wants; read the net again with this."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(str(settings))
        self.settings = settings
