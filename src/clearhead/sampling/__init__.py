"""Text drawn from a run."""
