"""A formula as text and as a tree: read, checked in words, written again."""
