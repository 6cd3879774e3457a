"""Which net of a file is meant, and what it is made with."""
