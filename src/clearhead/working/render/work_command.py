"""What a person asks of one working, checked; and the answer: files written, and what is left to print."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

from clearhead.errors import InputError
from clearhead.saving import save
from clearhead.working.problem_file import MOST_DECIMALS, MOST_DIGITS_SHOWN, work
from clearhead.working.render.renderers import RENDERERS, form_for, render
from clearhead.working.steps import Working

MANY_STEPS = 4_000  # more take seconds to write


@dataclass(frozen=True, slots=True)
class WorkOptions:
    """The options of `clearhead work`."""

    form: str = ""  # "": by the suffix of `out`
    out: Path | None = None
    decimals: int | None = None
    exact: bool = False
    digits: int = 4
    picture: Path | None = None
    style: str = "connections"
    terminal: bool = False  # whether a person looks at what is printed
    encoding: str = "utf-8"  # of what is printed

    def __post_init__(self) -> None:
        if self.form and self.form not in RENDERERS:
            raise InputError(f"--format {self.form}: there is no such format; there are {', '.join(RENDERERS)}")
        if self.exact and self.decimals is not None:
            raise InputError("--round and --exact exclude each other; leave one of them out")
        if self.decimals is not None and not 0 <= self.decimals <= MOST_DECIMALS:
            raise InputError(f"--round must be a whole number from 0 to {MOST_DECIMALS}, but is {self.decimals}")
        if not 0 <= self.digits <= MOST_DIGITS_SHOWN:
            raise InputError(f"--digits must be a whole number from 0 to {MOST_DIGITS_SHOWN}, but is {self.digits}")
        if self.kind_of_file == "pdf" and self.out is None and self.terminal:
            raise InputError("a PDF is not for a terminal; name a file with --out working.pdf")

    @property
    def kind_of_file(self) -> str:
        return self.form or (form_for(self.out.name) if self.out else "text")

    def work(self, problem: str) -> Working:
        found = work(problem, round="exact" if self.exact else self.decimals, digits=self.digits)
        return replace(found, style=self.style)


def answer(problem: str, asked: WorkOptions) -> str | bytes:
    """Work the problem, write the files asked for, and return what is to be printed: the working, or where it lies."""
    working = asked.work(problem)
    if len(working.plan.steps) > MANY_STEPS and sys.stderr.isatty():
        sys.stderr.write(f"{len(working.plan.steps):,} steps to write; this takes a while\n")
    places: list[Path] = []
    drawn: str | bytes = ""
    if asked.picture is not None:
        from clearhead.pictures import picture_file, require_picture_name
        from clearhead.working.render.page.map_picture import picture

        require_picture_name(asked.picture)
        drawn = picture_file(picture(working), asked.picture)
    if asked.out is None and asked.terminal and asked.kind_of_file == "text":
        from clearhead.working.render.formats.terminal import painted

        written: str | bytes = painted(working)
    else:
        written = render(working, asked.kind_of_file)
    if asked.picture is not None:
        places.append(save(drawn, asked.picture))
    if asked.out is not None:
        places.append(save(written, asked.out))
        written = ""
    told = "".join(f"{place}\n" for place in places)
    return written if isinstance(written, bytes) else printable(written + told, asked.encoding)


def printable(text: str, encoding: str) -> str:
    """Signs that the terminal's encoding lacks become question marks, never an error.

    >>> printable("⎡1⎤", "ascii")
    '?1?'
    """
    return text.encode(encoding, "replace").decode(encoding)
