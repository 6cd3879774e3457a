"""The functions and operators of formulas, one family a file."""
