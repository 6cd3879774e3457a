"""A problem as its file states it: givens, options and marks, and the plan that its kind makes of them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from clearhead.errors import ClearheadError, InputError
from clearhead.exact.policies import EXACT, Policy
from clearhead.working.fields import did_you_mean, one_line, shown
from clearhead.working.steps import Plan

T = TypeVar("T")


@contextmanager
def naming(source: str, what: str = "") -> Iterator[None]:
    """Errors inside are said in one line that begins with where they come from."""
    try:
        yield
    except ClearheadError as error:
        raise InputError(one_line(f"{source}: {what}{error}")) from None
    except ArithmeticError as error:
        if not what:
            raise
        raise InputError(one_line(f"{source}: {what}{error}")) from None


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A problem as its file states it, every value read and checked by its kind."""

    kind: str
    title: str
    given: Mapping[str, Any]
    options: Mapping[str, Any]
    marks: Mapping[str, float]
    lay_out: "Callable[[Problem], Plan]"
    required: str = "cells"  # what marks are given for: the cells of what is written, every step, or the answer alone
    tables: Mapping[str, Any] = field(default_factory=dict)  # what the kind has at the top of its file beside these
    topic: str = ""  # under which the library of problems lists it
    level: str = ""
    source: str = "problem"

    @property
    def policy(self) -> Policy:
        return Policy(self.options["round"]) if "round" in self.options else EXACT

    def require(self, *keys: str) -> list[Any]:
        """Givens that must be there."""
        for key in keys:
            if key not in self.given:
                raise InputError(f"given.{key} is missing; `clearhead kinds {self.kind}` prints a template")
        return [self.given[key] for key in keys]

    def option(self, key: str, default: T) -> T:
        value: T = self.options.get(key, default)
        return value

    def plan(self) -> Plan:
        """The steps of this problem; what does not fit together is said with the file's name."""
        with self.naming_faults():
            plan = self.lay_out(self)
            for name in self.marks:
                if name not in {step.name for step in plan.steps}:
                    hint = did_you_mean(name, [step.name for step in plan.steps])
                    raise InputError(f"marks.{shown(name)[1:-1]}: no such step{hint}")
        return plan

    def naming_faults(self, what: str = "") -> AbstractContextManager[None]:
        """Errors inside are said with the name of this problem's file, and perhaps what could not be done."""
        return naming(self.source, what)
