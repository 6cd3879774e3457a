"""Edits that make a broken net run."""
