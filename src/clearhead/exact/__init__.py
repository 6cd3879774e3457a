"""Numbers without loss: expressions, bounds, matrices, the rounding policies. Knows no problems."""

from clearhead.exact.decimals import as_float, decimal_text, parse_number
from clearhead.exact.expressions import WRITTEN, Cell, Exact, Expression
from clearhead.exact.matrices import Matrix, matrix, number, vector
from clearhead.exact.notation import latex, text
from clearhead.exact.policies import EXACT, Policy

__all__ = [
    "EXACT",
    "Cell",
    "Exact",
    "Expression",
    "Matrix",
    "Policy",
    "as_float",
    "decimal_text",
    "latex",
    "matrix",
    "number",
    "parse_number",
    "text",
    "vector",
]

WRITTEN.append(text)
