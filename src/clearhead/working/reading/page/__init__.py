"""The second look: a page taken apart into units, and which unit is which step."""
