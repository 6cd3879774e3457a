"""A run folder: prepared, opened, trained to its end."""
