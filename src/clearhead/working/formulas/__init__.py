"""Formulas: text, tree, value, and back."""
