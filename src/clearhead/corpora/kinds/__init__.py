"""One kind of corpus a file, each with a KIND: how it is opened, what there is to learn from it, how a few are shown."""
