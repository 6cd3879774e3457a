"""The first look at a page: labels open a step, numbers fill it."""
