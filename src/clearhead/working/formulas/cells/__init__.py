"""One cell of a formula, written out: its value, its words, its slope."""
