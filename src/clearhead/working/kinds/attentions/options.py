"""What the options say about one attention: its scale, and what may hide a key from a query (causal, padding, any table)."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple, TypeAlias

from clearhead.errors import InputError
from clearhead.exact.expressions import ZERO, Cell
from clearhead.exact.matrices import Matrix, size
from clearhead.working.fields import read_cell, require_size, shown
from clearhead.working.rules.rule import Rule
from clearhead.working.rules.scores import AddedMask, CausalMask, PaddingMask
from clearhead.working.steps import Labels

MASK_WORDS = ("none", "causal", "padding")


class Mask(NamedTuple):
    """The rule of the masked step, and its formula with a place for what is masked; a table stands among the givens as M."""

    rule: Rule
    formula: str
    latex: str
    why: str
    table: Matrix | None = None

    @property
    def only_hides(self) -> bool:
        """Whether it changes nothing but what it hides."""
        return self.table is None or all(cell in (0, -inf) for row in self.table.rows for cell in row)


CAUSAL = Mask(
    rule=CausalMask(),
    formula="{} where the key is not later than the query, else -∞",
    latex=r"{} + M, \quad M_{{ij}} = 0 \text{{ where }} j \le i \text{{, else }} -\infty",
    why="A token must not look at later ones: their scores become -∞, so that the softmax gives them 0.",
)


def read_mask(raw: Any) -> "str | Matrix":
    """A word, or a table: 1 (true) where a query may look and 0 (false) where not, or numbers to add, "-inf" among them."""
    if isinstance(raw, str) and raw in MASK_WORDS:
        return raw
    if not isinstance(raw, list) or not raw or not all(isinstance(row, list) and len(row) == len(raw[0]) for row in raw):
        raise InputError(f"must be one of {', '.join(MASK_WORDS)}, or a table with a row for each query, but is {shown(raw)}")
    require_size(len(raw) * len(raw[0]))
    cells = [[read_mask_cell(cell) for cell in row] for row in raw]
    if all(cell in (0, 1) for row in cells for cell in row):  # may look, or may not
        cells = [[ZERO if cell == 1 else -inf for cell in row] for row in cells]
    blind = next((i for i, row in enumerate(cells, start=1) if all(cell == -inf for cell in row)), None)
    if blind is not None:
        raise InputError(f"row {blind} hides every key; each query must see at least one (1: may look, 0: may not)")
    return Matrix(tuple(tuple(row) for row in cells))


def read_mask_cell(raw: Any) -> Cell:
    """One cell of a mask."""
    if isinstance(raw, bool):
        return Fraction(int(raw))
    if isinstance(raw, str) and raw.strip().lower() in ("-inf", "-infinity", "-∞", "−∞"):
        return -inf
    return read_cell(raw) if raw != -inf else -inf


def mask_of(chosen: "str | Matrix", length: int | None, queries: int, keys: int) -> Mask | None:
    """The mask that the options ask for, over so many queries and keys."""
    if length is not None and chosen != "padding":
        raise InputError('options.lengths goes with mask = "padding": so many keys are real, the rest is padding')
    if isinstance(chosen, Matrix):
        if chosen.shape != (queries, keys):
            raise InputError(f"options.mask is {size(chosen)}, but there are {queries} queries and {keys} keys")
        return table_mask(chosen)
    if chosen == "padding":
        if length is None:
            raise InputError('options.lengths is missing; mask = "padding" needs it: how many keys are real')
        if length > keys:
            raise InputError(f"options.lengths is {length}, but there are only {keys} keys")
        return padding_mask(length)
    return CAUSAL if chosen == "causal" else None


def padding_mask(length: int) -> Mask:
    """Keys beyond a length are padding, and nobody looks at them."""
    return Mask(
        rule=PaddingMask(length),
        formula="{} " + f"where the key is among the first {length}, else -∞",
        latex=r"{} + M, \quad M_{{ij}} = 0 \text{{ where }} " + rf"j \le {length}" + r" \text{{, else }} -\infty",
        why=f"Only the first {length} keys are real: the scores of the padding become -∞, so that the softmax gives it 0.",
    )


def table_mask(table: Matrix) -> Mask:
    """A table that is added to the scores."""
    hidden = frozenset(place for place in table.places() if table[place] == -inf)
    return Mask(
        rule=AddedMask(hidden),
        formula="{} + M",
        latex="{} + M",
        why="The mask M is added: where it is -∞ a query cannot look, since the softmax gives that key 0.",
        table=table,
    )


Scale: TypeAlias = "bool | Fraction"
"""True: divide by the root of d_k; False: leave the scores; a number: multiply them by it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AttentionSetting:
    """What the options say about one attention."""

    scale: Scale
    mask: Mask | None
    temperature: Fraction
    queries: str  # the given that queries come from: X or X1
    keys: str  # the given that keys and values come from: X or X2
    query_labels: Labels
    key_labels: Labels
    output: str = "output"  # what the output step is called


def read_scale(raw: Any) -> Scale:
    """true, false, or a number that the scores are multiplied by."""
    if isinstance(raw, bool):
        return raw
    factor = read_cell(raw)
    if factor <= 0:
        raise InputError(f"must be true, false or a number above 0 that multiplies the scores, but is {factor}")
    return factor
