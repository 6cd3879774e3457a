"""A problem file gives a working or one clear line that names the file and the key; never a traceback, never a long wait."""

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from clearhead.errors import InputError
from clearhead.exact.decimals import decimal_text
from clearhead.working import load_problem, work
from clearhead.working.file_tree import LARGEST_FILE
from clearhead.working.kinds import KINDS, kind_named

GOOD = """\
kind = "attention"
[given]
X = [[1, 0], [0.5, "1/3"]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [0, 1]]
W_V = [[1], [2]]
"""
TEMPLATES = {name: kind_named(name).template for name in KINDS}


def tried(path: Path, content: "str | bytes") -> "str | None":
    """Work a file as the command does; the error's sentence, or None where it could be worked. Anything else fails the test."""
    path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    try:
        working = work(str(path))
        for step in working.plan.steps:
            if step.rule is not None:
                for row in working.values[step.name].rows:
                    assert all(decimal_text(cell, 2) for cell in row)
    except InputError as error:
        sentence = str(error)
        assert sentence.startswith(str(path)), sentence
        assert len(sentence.splitlines()) == 1, sentence
        assert all(sign.isprintable() or sign in "\u200c\u200d" for sign in sentence), sentence
        assert len(sentence) < 500, sentence
        return sentence
    return None


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "problem.toml"


def test_a_good_file_is_worked(file: Path) -> None:
    assert tried(file, GOOD) is None
    assert tried(file, "\ufeff" + GOOD) is None  # as some editors save it
    assert tried(file, json.dumps(tomllib.loads(GOOD))) is None  # JSON, by its first letter


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('kind = "attention"', "", "kind: is missing"),
        ('kind = "attention"', 'kind = "atention"', "did you mean attention?"),
        ('kind = "attention"', "kind = 3", "kind: 3 is unknown"),
        ("W_V = ", "W_v = ", "given.W_v: unknown key; did you mean W_V?"),
        ("W_V = [[1], [2]]", "", "given.W_V is missing"),
        ("[given]", 'titel = "x"\n[given]', "'titel': unknown key; did you mean title?"),
        ("[given]", "title = 3\n[given]", "title: must be text"),
        ("[given]", "options = 3\n[given]", "options: must be a table, but is 3"),
        ('"1/3"', '"1/3", 4', "given.X: every row must be as long as the first: row 1 has 2, row 2 has 3"),
        ("[[1], [2]]", "[[1], [2], [3]]", "X is 2×2 and W_V is 3×1"),
        ("[[1], [2]]", "[]", "given.W_V: must be a list of rows such as [[1, 2], [3, 4]], but is an empty list"),
        ("[[1], [2]]", "[[], []]", "given.W_V: row 1 must be a list of numbers"),
        ("[[1], [2]]", "[1, 2]", "given.W_V: row 1 must be a list of numbers such as [1, 2], but is 1"),
        ("0.5", "nan", "given.X: row 2, column 1: 'nan' is not a number"),
        ("0.5", "-inf", "given.X: row 2, column 1: '-inf' is not a number"),
        ("0.5", "true", "True is not a number"),
        ("0.5", "1979-05-27", "a date is not a number"),
        ("0.5", "{a = 1}", "a table is not a number"),
        ("0.5", '"1/0"', "'1/0' divides by zero"),
        ("0.5", "1" * 10_000, "is out of reach; numbers from 10^-12 to 10^12"),
        ("0.5", "1e999", "1e999 is out of reach"),
        ("0.5", "1e-999", "1e-999 is out of reach"),
        ("0.5", "1e99999999999", "is not a number"),
        ("0.5", '"√2"', "'√2' is not a number"),
        ("0.5", "0.5.5", "not valid TOML"),
        ("[given]", "[given", "not valid TOML: Expected ']' at the end of a table declaration (at line 2"),
        ("[given]", "[options]\nround = 2.5\n[given]", "options.round: must be a whole number from 0 to 30, but is '2.5'"),
        ("[given]", "[options]\nround = 31\n[given]", "options.round: must be a whole number from 0 to 30, but is 31"),
        ("[given]", "[options]\nscale = -1\n[given]", "options.scale: must be true, false or a number above 0"),
        ("[given]", '[options]\nmask = "casual"\n[given]', "options.mask: must be one of none, causal, padding, or a table"),
        ("[given]", "[options]\ntemperature = -1\n[given]", "options.temperature: must be 0 or more"),
        ("[given]", "[options]\nmask = []\n[given]", "options.mask: must be one of none, causal, padding, or a table"),
        ("[given]", "[marks]\nweigths = 2\n[given]", "marks.weigths: no such step; did you mean weights?"),
        ("[given]", "[marks]\nweights = -2\n[given]", "marks.weights: must be 0 or more"),
        ("[given]", '[given]\ntokens = ["a"]', "given.tokens must name each row once: 1 names, 2 rows"),
        ("[given]", '[given]\ntokens = "ab"', "given.tokens: must be a list of names"),
        ("[given]", "[given]\nX1 = [[1]]", "given has both X and X1 or X2"),
        ("[given]", "[given]\nheads = [{W_Q = [[1]]}]", "given has both heads and W_Q"),
        ("[given]", "[given]\nheads = 2.5", "given.heads: must be a list of tables"),
        ("[given]", '[given]\n"a\\u001b[31m\\n" = 1', "given.a\\x1b[31m\\n: unknown key"),
        ("[given]", '["\\u202e\\n"]\n[given]', "unknown key"),
        ("[given]", "a" + ".a" * 50 + " = 1\n[given]", "a key with more than 8 parts"),
    ],
)
def test_what_is_wrong_is_said_with_its_key(file: Path, was: str, becomes: str, said: str) -> None:
    assert was in GOOD
    sentence = tried(file, GOOD.replace(was, becomes, 1))
    assert sentence is not None
    assert said in sentence


def test_what_is_no_readable_file(tmp_path: Path) -> None:
    large, latin, deep = tmp_path / "large.toml", tmp_path / "latin.toml", tmp_path / "deep.json"
    assert "more than 256,000 bytes" in str(tried(large, b"x = 1\n" * 2_000_000))
    assert "byte 10 is not UTF-8" in str(tried(latin, "title = 'é'".encode("latin-1")))
    assert "nested too deeply" in str(tried(deep, "[" * 100_000))
    assert "nested too deeply" in str(tried(large, "a=" + "[" * 100_000))
    assert "must be a table with kind and given, but is a list" in str(tried(deep, "[1, 2]"))
    assert "stands twice" in str(tried(deep, '{"kind": "softmax", "kind": "attention"}'))
    assert "not valid JSON" in str(tried(deep, ""))
    for place in (tmp_path, tmp_path / "none.toml", Path("/dev/zero"), Path("\0"), Path("x" * 5000)):
        with pytest.raises(InputError):
            load_problem(place)


def test_a_pipe_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError):
        load_problem(tmp_path / "pipe")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read(file: Path) -> None:
    file.write_text(GOOD)
    file.chmod(0)
    with pytest.raises(InputError, match="Permission denied"):
        load_problem(file)


def test_a_title_and_tokens_are_one_line_each() -> None:
    tree = tomllib.loads(GOOD) | {"title": "two\nlines\x1b[31m \ud800"}
    tree["given"]["tokens"] = ["a\x07b", "👩\u200d💻\n"]
    problem = load_problem(tree)
    assert problem.title == "two lines [31m"
    assert problem.given["tokens"] == ("a b", "👩\u200d💻")


def test_python_numbers_tuples_and_arrays_are_taken() -> None:
    numpy = pytest.importorskip("numpy")
    tree = tomllib.loads(GOOD)
    tree["given"] |= {"X": numpy.array([[1, 0], [0.5, 0.1]]), "W_V": ((1.5,), (2,))}
    assert str(load_problem(tree).given["X"][1, 1]) == "1/10"
    tree["given"]["X"] = [[1, 0], [float("nan"), 1]]
    with pytest.raises(InputError, match="nan"):
        load_problem(tree)
    tree["given"]["X"] = [[10**5000, 0], [1, 1]]
    with pytest.raises(InputError, match="out of reach"):
        load_problem(tree)


@pytest.mark.parametrize(("n", "d", "heads"), [(128, 128, 1), (4096, 1, 1), (64, 1, 2000), (2, 100, 1), (100, 100, 1)])
def test_giant_problems_are_refused_or_done(file: Path, n: int, d: int, heads: int) -> None:
    square = [[(i * j) % 3 - 1 for j in range(d)] for i in range(d)]
    given: dict[str, Any] = {"X": [[(i + j) % 5 for j in range(d)] for i in range(n)]}
    one = {"W_Q": square, "W_K": square, "W_V": square}
    given |= one if heads == 1 else {"heads": [one] * heads}
    sentence = tried(file, json.dumps({"kind": "attention", "given": given}))
    assert sentence is None or "times the work" in sentence or "bytes" in sentence


@pytest.mark.parametrize("name", list(KINDS))
def test_every_template_works_as_it_is(name: str, file: Path) -> None:
    assert tried(file, TEMPLATES[name]) is None


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(-(10**14), 10**14),
    st.just(10**200),
    st.floats(allow_nan=True),
    st.text(max_size=8),
    st.sampled_from(
        ["1/2", "1e12", "-1e-12", "nan", "1/0", "0.1", "tanh", "inf", "causal", "max", "l2", "\x1b[2J\n", "\ud800"]
    ),
    st.just([]),
    st.just({}),
    st.lists(st.integers(-3, 3), max_size=4),
    st.lists(st.lists(st.integers(-3, 3), max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
)


def places_in(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path, *(place for key, value in inside for place in places_in(value, (*path, key)))]


def changed(tree: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(tree)
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[path[0]] = changed(tree[path[0]], path[1:], change)
    return copy


ANY_TMP = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@given(name=st.sampled_from(list(KINDS)), data=st.data())
@settings(ANY_TMP, max_examples=250)
def test_a_good_problem_with_odd_values_put_in(file: Path, name: str, data: st.DataObject) -> None:
    tree: Any = tomllib.loads(TEMPLATES[name], parse_float=str)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from([p for p in places_in(tree) if p]))
        tree = changed(tree, place, lambda _: data.draw(ODD))
    assert "\n" not in (tried(file, json.dumps(tree)) or "")


@given(name=st.sampled_from(list(KINDS)), data=st.data())
@settings(ANY_TMP, max_examples=150)
def test_a_good_file_with_odd_bytes_put_in(file: Path, name: str, data: st.DataObject) -> None:
    content = TEMPLATES[name].encode()
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 12)))
        put = data.draw(
            st.one_of(st.binary(max_size=4), st.sampled_from([b"[", b"]", b'"', b"9" * 50, b"1e9", b"\n", b"=", b"."]))
        )
        content = content[:start] + put + content[end:]
    assert "\n" not in (tried(file, content) or "")


@given(content=st.binary(max_size=400))
@example(b"")
@example(b"\x00")
@example(b"{")
@example(b"\xef\xbb\xbf{}")
@settings(ANY_TMP, max_examples=150)
def test_any_bytes(file: Path, content: bytes) -> None:
    assert tried(file, content) is not None


@given(content=st.text(alphabet="[]{}\"'=.,#\n\\ aekind1", max_size=80))
@settings(ANY_TMP, max_examples=150)
def test_what_looks_like_toml(file: Path, content: str) -> None:
    assert "\n" not in (tried(file, content) or "")


def test_the_check_rejects_an_error_of_two_lines(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import clearhead.working.problem as module

    monkeypatch.setattr(module, "one_line", lambda written: written + "\n")
    with pytest.raises(AssertionError):
        tried(file, "kind = 3")


def test_the_size_limit_leaves_room_for_the_largest_problem_that_can_be_worked() -> None:
    row = ", ".join(["-1.25"] * 128)
    assert 2 * 128 * (len(row) + 4) < LARGEST_FILE


@pytest.mark.parametrize(("key", "here"), [("activation", "g"), ("lr", "rate"), ("learning_rate", "rate")])
def test_a_key_that_is_called_otherwise_elsewhere_is_told_its_name_here(key: str, here: str) -> None:
    eye = [[1, 0], [0, 1]]
    net: dict[str, Any] = {"x": [1, 2], "y": [1, 0], "W1": eye, "W2": eye}
    tree: dict[str, Any] = {"kind": "gradient", "given": net, "options": {"of": "network"}}
    where = "given" if here == "g" else "options"
    tree[where][key] = "relu"
    with pytest.raises(InputError, match=rf"{where}.{key}: unknown key; did you mean {here}\?"):
        load_problem(tree)
