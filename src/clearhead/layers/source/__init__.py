"""From bytes to a syntax tree, and edits of the text."""
