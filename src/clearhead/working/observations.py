"""What can be said about an attention map, each sentence computed from the weights as they are shown and true of those."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from clearhead.exact.decimals import decimal_text
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix, sum_of
from clearhead.exact.order import largest
from clearhead.exact.policies import rounded
from clearhead.working.steps import Labels, Working

EVEN, SHARP = 0.95, 0.25  # shares of the most bits a row could have: from here on it is called even, up to there sharp
PEAK_WORDS = ("one input alone", "sharp", "mixed", "nearly even", "all alike")
NAMES_LISTED = 8  # rows or names told one by one; of more only the number
NAME_LENGTH = 24

Map = Sequence[Sequence[Fraction]]


def observe_maps(working: Working) -> list[str]:
    """Observations on every attention map of a working."""
    plan = working.plan
    decimals = working.digits if working.policy.decimals is None else working.policy.decimals
    found: list[str] = []
    for number, name in enumerate(plan.maps, start=1):
        step = plan.step(name)
        shown = [[as_shown(cell, decimals) for cell in row] for row in working.values[name].rows]
        head = f"Head {number}: " if len(plan.maps) > 1 else ""
        own = "X1" not in plan.given  # two sequences have no position in common
        exact = working.values[name] if working.policy.decimals is None else None
        told = observe(shown, step.rows, step.columns, decimals, own_positions=own, exact=exact)
        found += [head + sentence for sentence in told]
    return found


def as_shown(weight: Cell, decimals: int) -> Fraction:
    """A weight rounded as the page shows it."""
    value = rounded(weight, decimals)
    assert isinstance(value, Fraction)  # a weight is never infinite
    return value


def observe(
    weights: Map, rows: Labels, columns: Labels, decimals: int, *, own_positions: bool, exact: Matrix | None = None
) -> list[str]:
    """Sentences about one map as shown: rows are outputs, columns are inputs; sums are those of the exact weights, if given."""
    outputs, inputs = names_of(rows, len(weights), "output"), names_of(columns, len(weights[0]), "input")
    sentences = [most_looked_at(weights, inputs, decimals, exact)]
    if own_positions and len(weights) == len(weights[0]):
        sentences.append(own_position(weights, outputs))
    sentences.append(peakedness(weights, outputs))
    sentences.append(nobody_looks_at(weights, inputs))
    return sentences


def names_of(labels: Labels, count: int, what: str) -> list[str]:
    """Names in quotes, counted where several are alike; `output 2` where there are none."""
    if not labels:
        return [f"{what} {i + 1}" for i in range(count)]
    short = [label if len(label) <= NAME_LENGTH else label[: NAME_LENGTH - 1] + "…" for label in labels]
    return [f"“{name}” ({i + 1})" if short.count(name) > 1 else f"“{name}”" for i, name in enumerate(short)]


def most_looked_at(weights: Map, inputs: list[str], decimals: int, exact: Matrix | None) -> str:
    """Which inputs get the most, all rows together: three thirds are 1, however a third is shown."""
    columns = zip(*(exact.rows if exact else weights), strict=True)
    totals = tuple(sum_of(column) for column in columns)
    best = largest(totals)
    first = [inputs[j] for j in best]
    over = "in the one row" if len(weights) == 1 else f"over the {len(weights)} rows"
    verb, each = ("is", "") if len(first) == 1 else ("are", " each")
    which = "the weights" if exact else "the weights as shown"
    return f"Looked at most {verb} {listed(first)}: {which} add up to {decimal_text(totals[best[0]], decimals)}{each} {over}."


def own_position(weights: Map, outputs: list[str]) -> str:
    """Who gives its own position the largest weight of its row; a largest weight that is shared is nobody's."""
    own = [name for i, name in enumerate(outputs) if all(weights[i][i] > w for j, w in enumerate(weights[i]) if j != i)]
    if not own:
        return "No output looks most at its own position."
    if len(own) == len(outputs):
        return "Every output looks most at its own position."
    look, their = ("looks", "its") if len(own) == 1 else ("look", "their")
    return f"{len(own)} of {len(outputs)} outputs {look} most at {their} own position: {listed(own)}."


def peakedness(weights: Map, outputs: list[str]) -> str:
    """Entropies of the rows: each of a few, the range of many."""
    entropies, words = [entropy(row) for row in weights], [peak_word(row) for row in weights]
    most = f"{math.log2(len(weights[0])):.2f}"
    if len(outputs) <= NAMES_LISTED:
        each = [f"{name}: {bits:.2f}, {word}" for name, bits, word in zip(outputs, entropies, words, strict=True)]
        return f"Entropy of each row as shown, from 0 bits (one input alone) to {most} (all alike): {'; '.join(each)}."
    told = [f"{words.count(word)} of {len(words)} rows: {word}" for word in PEAK_WORDS if word in words]
    low, high = min(entropies), max(entropies)
    return (
        f"Entropy of the rows as shown: from {low:.2f} bits ({outputs[entropies.index(low)]}) "
        f"to {high:.2f} ({outputs[entropies.index(high)]}), {most} at most; {'; '.join(told)}."
    )


def entropy(row: Sequence[Fraction]) -> float:
    """−Σ w·log₂ w in bits, of the weights as they stand."""
    return -sum(float(w) * math.log2(w) for w in row if w) + 0.0


def peak_word(row: Sequence[Fraction]) -> str:
    """One word for how peaked a row is, by its own weights.

    >>> peak_word([Fraction(0), Fraction(1)]), peak_word([Fraction(1, 2), Fraction(1, 2)])
    ('one input alone', 'all alike')
    """
    if len([w for w in row if w]) == 1:
        return "one input alone"
    if len(set(row)) == 1:
        return "all alike"
    share = entropy(row) / math.log2(len(row))
    return "nearly even" if share >= EVEN else "sharp" if share <= SHARP else "mixed"


def nobody_looks_at(weights: Map, inputs: list[str]) -> str:
    unseen = [name for name, column in zip(inputs, zip(*weights, strict=True), strict=True) if not any(column)]
    if not unseen:
        return "Every input has a weight above 0 from some output, as shown."
    return f"Nobody looks at {listed(unseen, 'or')}: every output gives weight 0, as shown."


def listed(names: Iterable[str], last: str = "and") -> str:
    """
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    known = list(names)
    if len(known) > NAMES_LISTED:
        return f"{', '.join(known[:NAMES_LISTED])} {last} {len(known) - NAMES_LISTED} more"
    return f"{', '.join(known[:-1])} {last} {known[-1]}" if len(known) > 1 else known[0]
