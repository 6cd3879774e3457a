"""Models of symbols and text."""
