"""The table of all operations, and what the parser must know of those that are called by name."""

from clearhead.working.formulas.cells.slopes import going_back
from clearhead.working.formulas.functions.along_rows import ALONG_ROWS
from clearhead.working.formulas.functions.cellwise import CELLWISE
from clearhead.working.formulas.functions.likenesses import LOSSES
from clearhead.working.formulas.functions.operation import Operation
from clearhead.working.formulas.functions.places import PLACES
from clearhead.working.formulas.functions.sums_and_powers import ARITHMETIC
from clearhead.working.formulas.functions.windows import WINDOWS
from clearhead.working.formulas.text.grammar import Functions

WRITTEN: dict[str, Operation] = {**ARITHMETIC, **CELLWISE, **ALONG_ROWS, **LOSSES, **WINDOWS, **PLACES}
FLAT = ("step", "argmax", "colargmax", "hardmax", "colhardmax", "placed")  # no slope, or none that anybody needs


def back_name(op: str, by: int) -> str:
    """The operation that goes back to one table of another: conv_back1 to what is slid over, conv_back2 to the window."""
    return f"{op}_back{by + 1}"


GOING_BACK = {
    back_name(name, by): going_back(operation, by)
    for name, operation in WRITTEN.items()
    if operation.back is None and operation.tables[0] and name not in FLAT and not name.endswith("'")
    for by in range(operation.tables[0])
}
OPERATIONS: dict[str, Operation] = {**WRITTEN, **GOING_BACK}
BY_SIGN = (
    "add",
    "subtract",
    "times",
    "divide",
    "negate",
    "power",
    "product",
    "transpose",
    "below",
    "beside",
    "placed",
    "causal_table",
)
CALLED = {name: operation for name, operation in OPERATIONS.items() if name not in BY_SIGN}

FUNCTIONS = Functions(
    tables={name: OPERATIONS[name].tables for name in (*CALLED, "causal_table", "beside", "placed")},
    fixed={name: OPERATIONS[name].fixed for name in (*CALLED, "causal_table", "beside", "placed")},
)
RESERVED = frozenset({*CALLED, "concat", "σ", "log", "T"})
"""Names that no given and no step may have."""
