"""The page's data holds every weight that it says, its size stays small, and nothing in a text can break out of it."""

import base64
import json
import re
import zlib
from html import unescape

import numpy as np
import pytest

from clearhead import look
from clearhead.lens.show.packed_weights import packed


def random_weights(layers: int, heads: int, n: int, seed: int = 0, sharp: float = 3.0) -> np.ndarray:
    scores = np.random.default_rng(seed).normal(size=(layers, heads, n, n)).astype(np.float32) * sharp
    scores = np.where(np.tril(np.ones((n, n), dtype=bool)), scores, -np.inf)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    return shares / shares.sum(-1, keepdims=True)


def unpacked(tree: dict, shape: tuple[int, int, int, int]) -> np.ndarray:
    """What the page reads back, by plain loops: (layers, heads, n, n)."""
    raw, rows, n = zlib.decompress(base64.b64decode(tree["data"])), tree["rows"], tree["entries"]
    table = np.zeros(shape).reshape(rows, shape[-1])
    at, e = 2 * rows, 0
    for row in range(rows):
        place = 0
        for _ in range(raw[2 * row] + 256 * raw[2 * row + 1]):
            place += raw[at + e] + 256 * raw[at + n + e]
            table[row, place] = (raw[at + 2 * n + e] + 256 * raw[at + 3 * n + e]) / 65535
            e += 1
    assert e == n
    return table.reshape(shape)


def test_every_weight_is_there_to_five_digits() -> None:
    weights = random_weights(2, 3, 9)
    seen = look(weights, [str(k) for k in range(9)])
    tree = packed(seen).tree()
    assert tree["kept"] == 0
    np.testing.assert_allclose(unpacked(tree, weights.shape), weights, atol=1e-5)


def test_of_a_large_one_the_largest_of_each_row_are_kept() -> None:
    weights = random_weights(2, 3, 20)
    tree = packed(look(weights, [str(k) for k in range(20)]), most=600).tree()
    found = unpacked(tree, weights.shape)
    assert tree["kept"] == 5
    assert tree["entries"] <= 600
    largest = np.sort(weights, axis=-1)[..., -5:].sum(-1)
    np.testing.assert_allclose(found.sum(-1), largest, atol=1e-3)


def test_rows_that_are_all_alike_keep_as_many() -> None:
    even = np.full((1, 2, 50, 50), 1 / 50)
    tree = packed(look(even, [str(k) for k in range(50)]), most=400).tree()
    assert (unpacked(tree, even.shape) > 0).sum(-1).tolist() == [[[4] * 50] * 2]


def test_no_text_breaks_out_of_the_page() -> None:
    nasty = ["</script><script>window.hit=1</script>", "{{DATA}}", "\u2028<!--"]
    page = look(random_weights(1, 1, 3), nasty).page()
    assert page.count("<script") == 2
    assert (
        "window.hit=1</script>"
        not in page.replace("\\u003c", "")[:0] + page.split('type="application/json">')[1].split("</script>")[0]
    )
    data = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)
    assert data is not None
    assert json.loads(data[1])["sides"] == [nasty]
    assert "http" not in re.sub(r"http://www\.w3\.org/2000/svg", "", page).replace("http-equiv", "")


def test_a_notebook_gets_the_page_in_a_frame_of_its_own() -> None:
    seen = look(random_weights(1, 1, 3), ["a", "b", "c"])
    frame = seen._repr_html_()
    inside = re.match(r'<iframe title="attention" srcdoc="([^"]*)" style="[^"]*"></iframe>', frame)
    assert inside is not None
    assert unescape(inside[1]) == seen.page()
    left = frame[inside.end() :]  # what a viewer that takes frames out still shows
    assert left.startswith("<details>")
    assert unescape(re.sub(r".*<pre>|</pre>.*", "", left, flags=re.S)) == str(seen)


def test_the_page_is_the_same_every_time() -> None:
    weights = random_weights(2, 2, 5)
    assert look(weights, list("abcde")).page() == look(weights, list("abcde")).page()


@pytest.mark.slow
@pytest.mark.parametrize("sharp", [0.01, 1.0, 4.0])
def test_512_tokens_of_12_by_12_heads_stay_below_ten_megabytes(sharp: float) -> None:
    page = look(random_weights(12, 12, 512, sharp=sharp), [f"token{k}" for k in range(512)]).page()
    assert len(page.encode()) < 10_000_000
