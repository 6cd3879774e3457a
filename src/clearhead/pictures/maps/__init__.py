"""Weights and other numbers as maps: shades, small maps of all heads, lines between inputs and outputs."""
