"""What a page may mean: every reading of what is written on it, weighed by its words and its values."""
