"""Digits: every file they come in, brought to 32×32, and what is wrong with a file by its line."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from clearhead.cli import main
from clearhead.corpora.corpus_kinds import SMALL_DIGITS
from clearhead.corpora.examples.picture_examples import DigitExamples
from clearhead.corpora.sources.digit_files import read_digits
from clearhead.corpora.sources.digits import Digits, find_digits
from clearhead.errors import InputError

CHANCE = np.random.default_rng(0)
PIXELS = CHANCE.integers(0, 256, (7, 28, 28)).astype(np.uint8)
PIXELS[:, 0, 0] = PIXELS[:, -1, -1] = 0  # corners are black, as on every picture
LABELS = np.array([3, 1, 4, 1, 5, 9, 2])


def idx(array: np.ndarray) -> bytes:
    return bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes() + array.astype(np.uint8).tobytes()


def table(label_first: bool, header: str = "") -> str:
    rows = [
        [*([label] if label_first else []), *picture.reshape(-1), *([] if label_first else [label])]
        for picture, label in zip(PIXELS, LABELS, strict=True)
    ]
    return header + "\n".join(",".join(map(str, row)) for row in rows) + "\n"


def test_mnist_as_idx_packed_and_not(tmp_path: Path) -> None:
    (tmp_path / "train-images-idx3-ubyte").write_bytes(idx(PIXELS))
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(idx(LABELS))
    (tmp_path / "t10k-images-idx3-ubyte.gz").write_bytes(gzip.compress(idx(PIXELS[:2])))
    (tmp_path / "t10k-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(LABELS[:2])))
    for name, count in (("train-images-idx3-ubyte", 7), ("t10k-images-idx3-ubyte.gz", 2)):
        found = read_digits(tmp_path / name)
        assert np.array_equal(found.pixels, PIXELS[:count])
        assert np.array_equal(found.labels, LABELS[:count])
    assert find_digits(str(tmp_path)).name == "train-images-idx3-ubyte"


@pytest.mark.parametrize("label_first", [True, False])
@pytest.mark.parametrize("named", [True, False])
def test_mnist_as_a_table_with_the_label_first_or_last(tmp_path: Path, label_first: bool, named: bool) -> None:
    pixels = ",".join(f"pixel{number}" for number in range(784))
    header = (f"label,{pixels}\n" if label_first else f"{pixels},label\n") if named else ""
    file = tmp_path / "mine.csv"
    file.write_text(table(label_first, header), encoding="utf-8")
    found = read_digits(file)
    assert np.array_equal(found.pixels, PIXELS)
    assert np.array_equal(found.labels, LABELS)


def test_svhn_in_colour_with_10_for_0(tmp_path: Path) -> None:
    from scipy.io import savemat

    colours = CHANCE.integers(0, 256, (32, 32, 3, 4)).astype(np.uint8)
    savemat(tmp_path / "train_32x32.mat", {"X": colours, "y": np.array([[10], [1], [9], [10]])})
    found = read_digits(find_digits(str(tmp_path)))
    assert found.labels.tolist() == [0, 1, 9, 0]
    red, green, blue = (int(each) for each in colours[5, 6, :, 2])
    assert int(found.pixels[2, 5, 6]) == round(0.299 * red + 0.587 * green + 0.114 * blue)


def test_the_built_in_ones_are_enlarged(tmp_path: Path) -> None:
    digits = Digits(SMALL_DIGITS)
    pixels = digits.everything.pixels
    assert pixels.shape == (1797, 32, 32)
    assert pixels.max() == 255
    assert np.array_equal(pixels[:, ::4, ::4], pixels[:, 3::4, 3::4])
    assert sorted(set(digits.everything.labels.tolist())) == list(range(10))


def test_28_by_28_gets_an_edge_of_2(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(table(False), encoding="utf-8")
    pixels = Digits(str(file)).everything.pixels
    assert np.array_equal(pixels[:, 2:-2, 2:-2], PIXELS)
    assert pixels.sum() == PIXELS.sum()


def test_equal_pictures_fall_on_the_same_side() -> None:
    digits = Digits(SMALL_DIGITS, 0.3)
    train, held = digits.training(), digits.validation()
    assert not {each.tobytes() for each in train.pixels} & {each.tobytes() for each in held.pixels}
    assert len(train.labels) + len(held.labels) == 1797
    assert 0.25 < len(held.labels) / 1797 < 0.35


def test_an_example_is_1024_pixels_and_a_digit() -> None:
    example = DigitExamples(Digits(SMALL_DIGITS).training()).draw(0, 0, 0)
    assert len(example.inputs) == 1024
    assert len(example.targets) == 1
    assert max(example.inputs) <= 255


LINE = ",".join(["0"] * 784)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (f"{LINE},3\n{LINE},11\n", "line 2: a label must be a digit from 0 to 9; got 11"),
        (f"{LINE},3\n{LINE}\n", "line 2: 785 numbers"),
        (f"{LINE},3\n{LINE.replace('0', 'x', 1)},3\n", "line 2: whole numbers"),
        (f"{LINE},3\n{LINE.replace('0', '256', 1)},3\n", "line 2: a pixel lies"),
        ("1,2,3,4\n", "line 1: a square of pixels"),
        ("", "empty"),
        ("label,pixel0\n", "no digit"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_with_its_line(tmp_path: Path, content: str, told: str) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=told) as caught:
        read_digits(file)
    assert str(file) in str(caught.value)


def test_what_is_wrong_with_other_files(tmp_path: Path) -> None:
    images, labels = tmp_path / "train-images-idx3-ubyte", tmp_path / "train-labels-idx1-ubyte"
    for content, told in ((idx(PIXELS)[:-1], "announced"), (b"PNG", "starts with"), (idx(LABELS), "starts with")):
        images.write_bytes(content)
        with pytest.raises(InputError, match=told):
            read_digits(images)
    images.write_bytes(idx(PIXELS))
    with pytest.raises(InputError, match="labels-idx1"):
        read_digits(images)
    labels.write_bytes(idx(LABELS[:5]))
    with pytest.raises(InputError, match="one for each picture"):
        read_digits(images)
    (tmp_path / "broken.mat").write_bytes(b"not a mat file at all")
    with pytest.raises(InputError, match="SVHN"):
        read_digits(tmp_path / "broken.mat")
    with pytest.raises(InputError, match="small-digits"):
        find_digits(str(tmp_path / "nowhere"))
    odd = tmp_path / "odd.csv"
    odd.write_text("1,2,3,4,5,6,7,8,9,0\n", encoding="utf-8")
    with pytest.raises(InputError, match="3×3"):
        Digits(str(odd)).training()


def test_the_built_in_corpora_can_be_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert [
        main(["data", *words]) for words in (["list"], ["show", "small-digits", "--count", "1"], ["show", "small-reviews"])
    ] == [0] * 3
    told = capsys.readouterr().out
    assert "small-reviews" in told
    assert "  0:" in told
    assert "▓" in told
    assert "liked: I saw this" in told


def test_folders_of_picture_files_are_digits(tmp_path: Path) -> None:
    from PIL import Image

    for digit in (3, 7):
        (tmp_path / "mine" / str(digit)).mkdir(parents=True)
        for number in range(2):
            dark = np.full((40, 30), 255, np.uint8)  # a dark stroke on white paper, of any size
            dark[5:35, 10 + digit : 14 + digit] = 10 * number
            Image.fromarray(dark).save(tmp_path / "mine" / str(digit) / f"{number}.png")
    found = Digits(str(tmp_path / "mine"), 0.0).training()
    assert found.labels.tolist() == [3, 3, 7, 7]
    assert found.pixels.shape == (4, 32, 32)
    assert found.pixels[:, 0, 0].tolist() == [0] * 4
    assert found.pixels.max() > 200
    assert len(Digits(str(tmp_path / "mine")).files()) == 4
    (tmp_path / "mine" / "3" / "broken.png").write_bytes(b"not a picture")
    with pytest.raises(InputError, match="a picture was expected"):
        Digits(str(tmp_path / "mine")).training()
