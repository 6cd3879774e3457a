"""Formulas in LaTeX read into a tree, and written as MathML and Typst."""
