"""What people get from `look`: what was seen, and everything that can be done with it."""

from dataclasses import dataclass, fields
from pathlib import Path

from clearhead.lens.looks import Seen
from clearhead.lens.measures.head_labels import Labelled, labels_of
from clearhead.lens.measures.head_measures import HeadMeasures, measured_heads


@dataclass(frozen=True, eq=False)
class Look(Seen):
    """One text through one model: printed it is a report, in a notebook a page; it measures, draws and saves itself."""

    @classmethod
    def of(cls, seen: Seen) -> "Look":
        """What was seen, to be shown."""
        return cls(**{each.name: getattr(seen, each.name) for each in fields(seen) if each.init})

    @property
    def measures(self) -> dict[str, HeadMeasures]:
        """What each head does, in numbers."""
        return measured_heads(self)

    @property
    def labels(self) -> dict[str, list[Labelled]]:
        """What each head looks like: every label that was tried and came near, with what stands for it and against it."""
        return labels_of(self)

    def page(self) -> str:
        """One HTML document that loads nothing: choose a head, hover a token, export what is shown."""
        from clearhead.lens.show.look_page import look_page

        return look_page(self)

    def problem(self, head: str, digits: int = 3, round: int | None = None) -> str:
        """A head as a problem file that `clearhead work` works by hand; its numbers are cut to so many digits."""
        from clearhead.lens.show.head_problem import head_problem

        return head_problem(self, head, digits, round)

    def picture(self, head: str = "", theme: str = "light") -> str:
        """The heads as an SVG: one of them large, or all of them small; light, dark or grey."""
        from clearhead.lens.show.look_pictures import look_picture
        from clearhead.pictures import themed

        return themed(look_picture(self, head), theme)

    def save(self, path: str | Path, head: str = "", theme: str = "light") -> Path:
        """A page (.html), a picture (.svg, .png), numbers (.json) or a head as a problem (.toml), by the suffix."""
        from clearhead.lens.show.look_files import save_look

        return save_look(self, Path(path), head, theme=theme)

    def __str__(self) -> str:
        from clearhead.lens.show.look_text import look_text

        return look_text(self)

    def _repr_html_(self) -> str:
        from clearhead.lens.show.look_page import notebook_frame

        return notebook_frame(self)
