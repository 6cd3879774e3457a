"""Follows the source of a net statement by statement, on shapes in place of numbers; nothing is run."""
