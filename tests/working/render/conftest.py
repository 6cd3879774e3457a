"""Workings that every renderer must cope with: the bundled ones, every template, and nonsense in the names."""

import tomllib
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from clearhead import examples
from clearhead.working import Working, work
from clearhead.working.kinds import KINDS, kind_named

NONSENSE = [
    "<script>alert(1)</script>",
    "x" * 300,
    "% & _ # $ { } \\ ^ ~ | \" '",
    '#let x = 1; $ * _ ` @ "quoted" \\',
    "👩‍👩‍👧 日本語",
    "שלום عليكم \u202edrow",
    "two\nlines\ttab\x00\x1b[31mred",
    "]]></style><!-- -->",
    "",
    "[link](javascript:alert(1)) <b>*bold*</b> `code` $x$",
    "\ud800 lone",
]


def attention(tokens: list[str], **more: Any) -> dict[str, Any]:
    n = len(tokens)
    x = [[(i + j) % 3 - 1 for j in range(2)] for i in range(n)]
    given = {"tokens": tokens, "X": x, "W_Q": [[1, 0], [0, 1]], "W_K": [[1, 1], [0, 1]], "W_V": [["1/3", 0], [2, "-0.5"]]}
    return {"kind": "attention", "title": " ".join(tokens)[:250], "given": given, **more}


def wide(n: int = 20, d: int = 9) -> dict[str, Any]:
    x = [[(7 * i + 3 * j) % 5 - 2 for j in range(d)] for i in range(n)]
    square = [[(i * j) % 4 - 1 for j in range(d)] for i in range(d)]
    given = {"tokens": [f"token{i}" for i in range(n)], "X": x, "W_Q": square, "W_K": square, "W_V": square}
    return {"kind": "attention", "title": "Wide", "given": given, "options": {"mask": "causal"}}


def all_workings() -> dict[str, Callable[[], Working]]:
    """How each is made, by name; none is worked before it is asked for."""
    found = {name: partial(work, name) for name in examples.names((".toml", ".json")) if name.count("/") == 1}
    found |= {f"template {kind}": partial(work_template, kind) for kind in KINDS}
    for name in ("examples/self-attention", "examples/cross-attention"):
        found[f"{name}, exact"] = partial(work, name, round="exact")
    found["nonsense"] = partial(work, attention(NONSENSE))
    found["rounded nonsense"] = partial(work, attention(NONSENSE), round=2)
    found["wide"] = partial(work, wide())
    found["many digits"] = partial(work, "examples/self-attention", round="exact", digits=100)
    found["no digits"] = partial(work, "examples/self-attention", round="exact", digits=0)
    return found


def work_template(kind: str) -> Working:
    return work(tomllib.loads(kind_named(kind).template, parse_float=str))


WORKINGS = all_workings()


@pytest.fixture(params=WORKINGS, scope="session")
def working(request: pytest.FixtureRequest) -> Working:
    return WORKINGS[request.param]()
