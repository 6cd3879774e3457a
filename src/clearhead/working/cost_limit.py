"""How much work one problem may take: what would take minutes or the whole memory is refused before it is begun."""

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix
from clearhead.working.rules.rule import Rule

MOST_COST = 10_000_000  # tenths of a microsecond: a second or so; 64 tokens, 32 wide, exactly, are half of it


def cost_of(rule: Rule, inputs: list[Matrix]) -> int:
    """What a step costs; a chain of numbers costs nothing, as it is only as long as its file."""
    chained = rule.makes_numbers_of_numbers and all(value.rank == 0 for value in inputs)
    return 0 if chained else rule.cost(*inputs)


def require_affordable(spent: int, step: str) -> None:
    """Refuse a plan at the step that takes it over the limit."""
    if spent > MOST_COST:
        raise InputError(
            f"{step} would take {spent / MOST_COST:,.1f} times the work that one problem may take; "
            "give fewer tokens, columns or heads, or round the steps (round = 2)"
        )
