"""Logarithms taken to another base than the problem has: a slip that every rule with a logarithm in it shares."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from clearhead.exact.expressions import ONE, Exact, finite
from clearhead.exact.matrices import Matrix
from clearhead.exact.powers import log
from clearhead.working.rules.rule import Slip

HINT = "the logarithm was taken to another base than the problem has"


def other_bases(with_logs: Callable[..., Matrix], own: Exact = ONE) -> Iterator[Slip]:
    """The bases e, 2 and 10 but for the rule's own, whose natural logarithm is `own`.

    `with_logs(factor, *inputs)` is what comes out if every logarithm is so many times as large."""
    for other in (ONE, *(finite(log(Fraction(base))) for base in (2, 10))):
        if other != own:
            yield Slip("log-base", partial(with_logs, own / other), HINT)
