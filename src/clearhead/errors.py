"""What a person can do wrong, in one family: the command line turns each into one line and exit code 2."""


class ClearheadError(Exception):
    """Something the person who called can put right; the message says what must hold, what came, and what to try.

    `shell` is what to try in the words of the command line, where that has words of its own.
    """

    def __init__(self, sentence: str = "", shell: str = "") -> None:
        super().__init__(sentence)
        self.shell = shell


class ShapeError(ClearheadError):
    """Sizes that do not fit together."""


class ConfigError(ClearheadError):
    """A setting that cannot be."""


class InputError(ClearheadError):
    """A file or an argument that cannot be read or used as it is."""


class MissingExtraError(ClearheadError):
    """A command that needs an optional part of the installation."""


class ToldError(ClearheadError):
    """What went wrong in another of the processes that train together, which says it; nothing is left to say here."""
