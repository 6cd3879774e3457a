"""What there is to learn from, one kind of corpus a file, and the world that is built in."""
