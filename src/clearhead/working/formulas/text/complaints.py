"""What is wrong with a name or a call in a formula, in words."""

from collections.abc import Collection
from difflib import get_close_matches

from clearhead.working.formulas.text.formula_tokens import Token

SHORT = 3  # letters: of so few most must agree
INSTEAD = {
    "e": "write exp(x) for e^x",
    "inv": "the inverse of a table is not worked; cell by cell it is 1/A",
    "maximum": "write max(A, B)",
    "minimum": "write min(A, B)",
    "dot": "write A B, or a·b of two vectors",
    "matmul": "write A B",
    "transpose": "write A^T",
    "T": "write A^T",
}
"""What people write for something that is called otherwise here."""


def is_member(known: str, family: str) -> bool:
    return known.startswith(family) and known[len(family) :].isdigit()


def unknown(token: Token, followed: bool, known: Collection[str], functions: Collection[str]) -> str:
    """No such name, with the nearest one."""
    if token.text.endswith("'") and token.text[:-1] in known:
        return f"{token.text} at character {token.at + 1}: a transpose is written {token.text[:-1]}^T"
    if token.text in INSTEAD:
        return f"{token.text} at character {token.at + 1} is no given or earlier step; {INSTEAD[token.text]}"
    candidates = [*functions, *known] if followed else [*known, *functions]
    lower = {name.lower(): name for name in reversed(candidates)}
    near = get_close_matches(token.text.lower(), list(lower), n=1, cutoff=0.6 if len(token.text) > SHORT else 0.7)
    what = "function" if followed and near and lower[near[0]] in functions else "given or earlier step"
    hint = f"did you mean {lower[near[0]]}?" if near else f"known here are {', '.join(known) or 'none'}"
    return f"{token.text} at character {token.at + 1} is no {what}; {hint}"


def counted(least: int, fewest: int, most: int, all_fixed: int) -> str:
    low, high = least + fewest, most + all_fixed
    return f"{low if low == high else f'{low} to {high}'} {'thing' if high == 1 else 'things'} in its brackets"
