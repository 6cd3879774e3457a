"""One small interface over the torch-free rooms: a function's name and JSON in, JSON out."""

from clearhead.desk.counter import FUNCTIONS, LARGEST, answer

__all__ = ["FUNCTIONS", "LARGEST", "answer"]
