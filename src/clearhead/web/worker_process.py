"""One worker: reads questions from its standard input, and writes the answers. It can be killed at any time.

A message is its length in bytes as eight hexadecimal digits, and then so many bytes; a question is a name, a newline and JSON.
"""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import BinaryIO

HEADER = 8
MOST_MEMORY = {"desk": 2 * 2**30}  # bytes of address space; a desk's answer needs a hundredth of it
DESKS = {"desk": "clearhead.desk", "runs": "clearhead.web.torch_desk"}
"""The desks that a worker can have: modules with `answer(name, text)`."""


def main(desk: str) -> None:
    """Answer until the questions end. What anybody prints goes to stderr, so that it cannot be taken for an answer."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    limit_memory(MOST_MEMORY.get(desk))
    answer: Callable[[str, str], str] = import_module(DESKS[desk]).answer
    serve_questions(sys.stdin.buffer, answers, answer)


def serve_questions(questions: BinaryIO, answers: BinaryIO, answer: Callable[[str, str], str]) -> None:
    """The loop itself."""
    while header := questions.read(HEADER):
        name, _, text = questions.read(int(header, 16)).decode().partition("\n")
        written = answer(name, text).encode("utf-8", "backslashreplace")
        answers.write(b"%08x" % len(written) + written)
        answers.flush()


def limit_memory(most: int | None) -> None:
    """Where the system knows such a limit, an answer that wants too much fails and the machine lives on."""
    if most is None:
        return
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, ValueError, OSError):
        return


if __name__ == "__main__":
    main(sys.argv[1])
