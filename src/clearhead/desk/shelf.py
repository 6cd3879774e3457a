"""What there is to begin with: the bundled problems, the kinds, a working and a net to try."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from clearhead import examples
from clearhead.working import library as problems
from clearhead.working.kinds import KINDS

TRIED = {"self-attention": "examples/workings/self-attention-by-hand.md"}
NETS = ("examples/nets/exam-net", "examples/nets/exam-net-broken.py.txt")


def library(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Problems by topic, kinds with their line, and texts to try the other pages with."""
    return shelf()


@cache
def shelf() -> dict[str, Any]:
    return {
        "examples": [asdict(entry) for entry in problems.entries()],
        "kinds": [{"name": name, "about": about} for name, about in KINDS.items()],
        "workings": {name: text_of(path) for name, path in TRIED.items()},
        "nets": {name.rpartition("/")[2].partition(".")[0]: text_of(name) for name in NETS},
    }


def text_of(name: str) -> str:
    return examples.find(name, (".md", ".py", ".txt")).read_text(encoding="utf-8")
