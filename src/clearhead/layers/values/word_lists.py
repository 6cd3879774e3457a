"""Long lists of names, written as a text: easier to read and to add to than a name a line."""


def words(text: str) -> frozenset[str]:
    """The words of a text, each once.

    >>> sorted(words("relu tanh  relu"))
    ['relu', 'tanh']
    """
    return frozenset(text.split())
