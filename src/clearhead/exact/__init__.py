"""Numbers without loss: expressions, bounds, matrices, the rounding policies. Knows no problems."""
