"""The exam's net, as it was handed in and as it should be: the numbers of the key, the break, the repairs."""

import json

import pytest

from clearhead.layers import describe

GOOD, BROKEN = "examples/nets/exam-net.py", "examples/nets/exam-net-broken.py"


def test_shapes_weights_and_arithmetic_of_the_key() -> None:
    got = json.loads(describe(GOOD, "1x32x32", json=True))
    assert [layer["output"] for layer in got["layers"]] == [
        [8, 28, 28], [8, 7, 7], [8, 7, 7], [16, 6, 6], [16, 3, 3], [16, 3, 3], [144], [10],
    ]  # fmt: skip
    assert [layer["weights"] for layer in got["layers"]] == [208, 0, 0, 2064, 0, 0, 0, 1450]
    assert got["layers"][0]["arithmetic"] == "(32 − 5)/1 + 1 = 28; 8 × (5·5·1 + 1) = 208"
    assert got["layers"][3]["arithmetic"] == "(7 + 2·1 − 4)/1 + 1 = 6; 16 × (4·4·8 + 1) = 2064"
    assert (got["weights"], got["break"], got["repairs"]) == (3722, None, [])


def test_json_has_exactly_the_keys_that_programs_rely_on() -> None:
    got = json.loads(describe(BROKEN, "1x32x32", json=True))
    assert list(got) == [
        "net", "line", "call", "input", "output", "layers", "weights", "at_least", "multiply_adds",
        "memory", "notes", "unknown",
        "break", "repairs", "repaired",
    ]  # fmt: skip
    columns = (
        "name",
        "path",
        "kind",
        "line",
        "output",
        "shape",
        "weights",
        "multiply_adds",
        "field",
        "activations",
        "memory",
        "arithmetic",
    )
    assert {tuple(layer) for layer in got["layers"]} == {columns}
    assert list(got["break"]) == ["line", "column", "why", "made"]
    assert (got["weights"], got["unknown"], got["repaired"]) == (None, [], True)
    assert {tuple(repair) for repair in got["repairs"]} == {("line", "before", "after")}


def test_the_student_s_net_breaks_at_the_first_missing_comma() -> None:
    got = json.loads(describe(BROKEN, "1x32x32", json=True))
    assert got["break"]["line"] == 7
    assert "comma" in got["break"]["why"]
    assert [layer["output"] for layer in got["layers"]] == [[8, 28, 28], [8, 7, 7]]


def test_two_commas_and_a_wrong_number_are_all_mended_in_turn() -> None:
    got = json.loads(describe(BROKEN, "1x32x32", json=True))
    assert [(repair["line"], repair["after"].strip()) for repair in got["repairs"]] == [
        (7, "nn.AvgPool2d(kernel_size=4, stride=4, padding=0),"),
        (10, "nn.AvgPool2d(kernel_size=2, stride=2, padding=0),"),
        (13, "nn.Linear(144, 10),"),
    ]


def test_the_table_fits_a_terminal_and_the_diff_is_shown() -> None:
    text = describe(BROKEN, "1x32x32", repair=True)
    table, _, diff = text.partition("--- as it is")
    assert max(len(line) for line in table.splitlines()) <= 80
    assert "-    nn.Linear(120, 10),\n+    nn.Linear(144, 10)," in diff
    assert text.endswith("3 edits. Checked again: it runs, output 10, 3,722 weights.")


@pytest.mark.parametrize("name", [GOOD, BROKEN])
def test_every_line_of_the_plain_table_fits_80_columns(name: str) -> None:
    assert max(len(line) for line in describe(name, "1x32x32").splitlines()) <= 80


def test_the_picture_question_of_the_exam() -> None:
    """128×128 under a 3×5 filter with stride 1×3 is 126×42."""
    from clearhead.layers import analyse, read_input

    got = analyse("nn.Conv2d(1, 1, (3, 5), stride=(1, 3))", read_input("1x128x128"))
    assert got.rows[0].output.shape[2:] == (126, 42)
    assert got.rows[0].arithmetic == "(128 − 3)/1 + 1 = 126, (128 − 5)/3 + 1 = 42"
