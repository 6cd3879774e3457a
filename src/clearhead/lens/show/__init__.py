"""A look as text, as a page, as pictures, as a problem file."""
