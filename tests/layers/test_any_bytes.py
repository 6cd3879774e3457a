"""Any bytes give a table or one clear error with the line and column; never a traceback, never a guess."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearhead.errors import ClearheadError
from clearhead.examples import find
from clearhead.layers import describe
from clearhead.layers.source.file_text import decode

GOOD = find("examples/nets/exam-net.py", (".py",)).read_bytes()
WORDS = [
    "nn.",
    "self.",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "=",
    ":",
    "\n",
    "nn.Linear",
    "nn.Sequential",
    "x",
    "-1",
    "0",
    "3",
    "**",
    "//",
    "lambda",
    "for",
    "in",
    "if",
    "None",
    "'same'",
    "1e400",
    "*x",
    "**x",
]
WORDS += [
    "while 1:",
    "class A(nn.Module):",
    "def forward(self, x):",
    "return x",
    "    ",
    "\t",
    "\r",
    "\x0c",
    "é",
    "9" * 50,
    "...",
]
WORDS += [
    "x.view(-1, 3)",
    "x.shape[0]",
    "nn.LSTM(3, 4)",
    "torch.cat([x, x])",
    "super().__init__()",
    "try:",
    "@",
    ":=",
    "yield x",
]


def outcome(data: bytes, folder: Path) -> str:
    file = folder / "net.py"
    file.write_bytes(data)
    try:
        return describe(str(file), "1x32x32", repair=True)
    except ClearheadError as error:
        sentence = str(error)
        assert "\n" not in sentence
        return sentence


@given(st.binary(max_size=300))
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_bytes(tmp_path: Path, data: bytes) -> None:
    assert outcome(data, tmp_path)


@given(st.lists(st.sampled_from(WORDS), max_size=40), st.sampled_from(["", " "]))
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_words(tmp_path: Path, words: list[str], between: str) -> None:
    assert outcome(between.join(words).encode(), tmp_path)


@given(st.lists(st.tuples(st.integers(0, len(GOOD)), st.integers(0, 6), st.sampled_from(["", *WORDS])), min_size=1, max_size=4))
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_good_net_with_random_changes(tmp_path: Path, changes: list[tuple[int, int, str]]) -> None:
    data = GOOD
    for place, length, word in changes:
        data = data[:place] + word.encode() + data[place + length :]
    assert outcome(data, tmp_path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a\n b\0c", "line 2, column 3: a null byte"),
        (b"x = 1\ny = '\xe9'\n", "line 2, column 6: the byte 0xe9 is not utf-8"),
        ("net = 1".encode("utf-16"), "UTF-16"),
        (b"# coding: klingon\n", "line 1, column 1: unknown encoding: klingon"),
        (b"(" * 5000, "line 1, column 201: too many nested parentheses"),
        (b"x=" + b"-" * 100_000 + b"1", "nested too deeply"),
        (b"x=" + b"+".join([b"1"] * 50_000), "nested too deeply"),
        (b"net = nn.Sequential(\n  nn.Linear(2, 3),\n", "line 1, column 20: '(' was never closed"),
        (b"net = nn.Sequential(nn.ReLU()))\n", "line 1, column 31: unmatched ')'"),
        (b"def f(:\n", "line 1, column 7"),
        (b"net = nn.Sequential(nn.ReLU()\nnn.ReLU())\ndef f(:\n", "line 1, column 21"),
        (b"x = 3\n", "holds no net"),
        (b"x\n" * 2_500_000, "at most 4,000,000"),
    ],
)
def test_the_error_says_where(tmp_path: Path, data: bytes, words: str) -> None:
    assert words in outcome(data, tmp_path)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfnet = nn.ReLU()",
        b"# -*- coding: latin-1 -*-\n# \xe9\nnet = nn.ReLU()\n",
        b"net = nn.ReLU()\r",
        b"\x0cnet = nn.Sequential(nn.ReLU()\r\nnn.ReLU())",
        b"net = " + b"nn.Sequential(" * 90 + b"nn.ReLU()" + b")" * 90,
    ],
)
def test_odd_but_good_sources_give_a_table(tmp_path: Path, data: bytes) -> None:
    assert "ReLU" in outcome(data, tmp_path)


@pytest.mark.parametrize(
    "source",
    [
        "net = nn.Linear(10 ** 10 ** 10, 3)",
        "net = nn.Sequential(*[nn.ReLU() for _ in range(10 ** 9)])",
        "net = nn.Sequential(*([nn.ReLU()] * 10 ** 9))",
        "def f():\n    return f()\nnet = nn.Linear(f(), 3)",
        "class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = A()\n"
        "    def forward(self, x):\n        return self.a(x)",
        "net = nn.Linear(" + "9" * 400 + ", 3)",
    ],
)
def test_what_would_never_end_is_not_waited_for(tmp_path: Path, source: str) -> None:
    assert "unknown from here on" in outcome(source.encode(), tmp_path)


def test_text_is_decoded_as_python_does() -> None:
    assert decode(b"\xef\xbb\xbfx", "f") == "x"
