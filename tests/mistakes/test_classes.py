"""Three and more classes, tables as people have them, pictures in folders: from train to classify, errors and a test set."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from PIL import Image

import clearhead
from clearhead.cli import main
from clearhead.corpora.sources.digits import Digits
from clearhead.corpora.sources.review_labels import LIKING
from clearhead.corpora.sources.reviews import Review, Reviews, read_reviews, words_of
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import InputError
from clearhead.mistakes.word_pushes import judged
from clearhead.models import Averaging, AveragingConfig
from clearhead.models.reach import fill_randomly

TOPICS = {
    "sports": "the team won the match after a late goal and the crowd cheered the striker",
    "cooking": "stir the onions in butter then add stock and simmer the soup with thyme",
    "weather": "rain and strong wind are expected with a chance of snow over the hills",
}


def texts(count: int, seed: int) -> list[tuple[str, str]]:
    chance = Random(seed)
    names = list(TOPICS)
    return [
        (
            topic,
            " ".join(chance.choices(TOPICS[topic].split(), k=6) + chance.choices(TOPICS[chance.choice(names)].split(), k=3)),
        )
        for topic in (names[number % 3] for number in range(count))
    ]


def table(path: Path, rows: list[tuple[str, str]], mark: str = ";") -> Path:
    path.write_text("".join(f"{label}{mark}{text}\n" for label, text in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def topics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on three classes, in a table between semicolons, without a line of names."""
    folder = tmp_path_factory.mktemp("topics")
    data = table(folder / "mine.csv", texts(600, 0))
    smaller = ("model.pairs=512", "model.width=16", "epochs=6", "training.rate=0.01")
    settings = [part for each in (f"corpus={data}", *smaller) for part in ("--set", each)]
    assert main(["train", "sentiment", "--out", str(folder / "run"), *settings]) == 0
    return folder / "run"


def test_three_classes_are_learned_and_kept_by_name(topics: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 'names = [\n    "cooking",\n    "sports",\n    "weather",\n]' in (topics / "recipe.toml").read_text(encoding="utf-8")
    assert main(["errors", str(topics), "--json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["classes"] == ["cooking", "sports", "weather"]
    assert tree["accuracy"] > 0.9
    assert sum(map(sum, tree["confusion"])) == tree["held_out"]


def test_a_text_is_classified_with_the_words_that_pushed(
    topics: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "note.txt").write_text("simmer the soup", encoding="utf-8")
    for thing in ("simmer the soup", str(tmp_path / "note.txt")):
        assert main(["classify", str(topics), thing]) == 0
        told = capsys.readouterr().out
        assert told.startswith("cooking (")
        assert "soup +" in told.splitlines()[1]
    assert main(["classify", str(topics), "xylophone quux"]) == 0
    assert "never read any of these words" in capsys.readouterr().out
    assert main(["classify", str(topics), "the match", "--json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["class"] == tree["towards"] == "sports"
    assert sum(tree["chances"].values()) == pytest.approx(1)
    assert clearhead.open_run(topics).classify("the match") == pytest.approx(tree["chances"], abs=1e-5)


def test_lines_and_what_comes_in_by_a_pipe(
    topics: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    lines = "simmer the soup\n\nrain over the hills\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert main(["classify", str(topics), "-", "--lines"]) == 0
    told = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [(name, text) for name, _, text in told] == [("cooking", "simmer the soup"), ("weather", "rain over the hills")]


def test_a_test_set_of_ones_own_is_judged_whole_and_leaves_the_figures(
    topics: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["errors", str(topics)]) == 0
    figures = (topics / "figures.json").read_bytes()
    rows = (
        [("sports", "the match after a late goal")] * 2 + [("cooking", "snow over the hills")] + [("weather", "rain and wind")]
    )
    mine, page = table(tmp_path / "test.csv", rows, ","), tmp_path / "page.html"
    capsys.readouterr()
    assert main(["errors", str(topics), "--on", str(mine), "--html", str(page)]) == 0
    told = capsys.readouterr().out
    assert "3 of 4 reviews" in told
    assert "mistaken most: cooking as weather (1)" in told
    assert "This is cooking; the net says: weather" in told
    assert "<th>sports</th>" in page.read_text(encoding="utf-8")
    assert (topics / "figures.json").read_bytes() == figures
    for wrong, said in (("politics,the vote", "one of cooking, sports, weather"), ("", "empty")):
        (tmp_path / "bad.csv").write_text(f"label,text\n{wrong}\n" if wrong else "")
        assert main(["errors", str(topics), "--on", str(tmp_path / "bad.csv")]) == 2
        assert said in capsys.readouterr().err


def test_nonsense_is_one_line(topics: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        (["classify", str(topics), ""], "nothing to judge"),
        (["classify", str(topics), "nowhere.txt"], "no such file"),
        (["classify", str(tmp_path), "a"], "run folder"),
        (["errors", str(topics), "--on", "nowhere"], "no reviews of this name"),
        (["errors", str(topics), "--on", "small-reviews", "--baseline"], "without another one"),
    ):
        assert main(words) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert said in error


def test_pushes_towards_the_verdict_are_what_leaving_a_word_out_does_to_its_log_odds() -> None:
    vocabulary = WordVocabulary(["<s>", "</s>", "UUUNKKK", "a", "b", "c", "d"])
    model = Averaging(AveragingConfig(vocab=7, classes=3, width=5, hidden=7, pairs=11)).double().eval()
    fill_randomly(model, 2)

    def odds(words: list[str], of: int) -> float:
        shares = model(torch.tensor([vocabulary.encode(" ".join(words)) or [0]])).softmax(-1)[0].tolist()
        return float(np.log(shares[of] / (1 - shares[of])))

    words = ["a", "c", "b", "c", "d"]
    found = judged(model, vocabulary, Review(" ".join(words), 0))
    wanted = [odds(words, found.verdict) - odds(words[:at] + words[at + 1 :], found.verdict) for at in range(5)]
    assert found.pushes == pytest.approx(wanted, abs=1e-9)
    other = (found.verdict + 1) % 3
    assert found.pushes != pytest.approx([odds(words, other) - odds(words[:at] + words[at + 1 :], other) for at in range(5)])


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("topic|text\na|x y\nb|y z\na|z\nb|w\n", ("a", "b")),
        (
            "neutral;so so\npositive;good\nnegative;bad\nneutral;fine\npositive;well\nnegative;no\n",
            ("negative", "neutral", "positive"),
        ),
        ("0,bad film\n1,so so film\n2,good film\n0,no\n1,eh\n2,yes\n", ("0", "1", "2")),
        ("-1\tbad\n0\teh\n1\tgood\n-1\tno\n0\tmeh\n1\tyes\n", ("-1", "0", "1")),
        ("id,class,text\n7,x,one two\n8,y,two\n9,x,three\n10,y,four\n", ("x", "y")),
        ("stars,text\n5,good\n1,bad\n3,so so\n", LIKING),
    ],
)
def test_classes_are_what_the_labels_say(tmp_path: Path, written: str, names: tuple[str, ...]) -> None:
    (tmp_path / "mine.csv").write_text(written)
    corpus = Reviews(str(tmp_path / "mine.csv"))
    assert corpus.class_names() == names
    assert all(0 <= review.label < len(names) and words_of(review.text) for review in corpus.everything())


def test_stars_can_be_five_classes(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("stars;text\n5.0;good\n1 star;bad\n3;so so\n")
    five = tuple("12345")
    assert [review.label for review in read_reviews(str(tmp_path / "mine.csv"), five)] == [4, 0, 2]


def test_a_slip_in_a_label_is_no_new_class(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("label,text\nx,a\ny,b\nx,c\ny,d\nyy,e\n")
    with pytest.raises(InputError, match=r"line 6: a label must be .*'yy'"):
        list(read_reviews(str(tmp_path / "mine.csv")))
    rows = "".join(f"{number},text {number}\n{number},again\n" for number in range(200))
    (tmp_path / "mine.csv").write_text(f"label,text\n{rows}")
    with pytest.raises(InputError, match="over 100 different labels"):
        list(read_reviews(str(tmp_path / "mine.csv")))


def test_a_folder_of_texts_for_each_class(tmp_path: Path) -> None:
    for name, text in (("rec.sport", "goal"), ("sci.space", "moon")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.txt").write_text(text)
    corpus = Reviews(str(tmp_path))
    assert corpus.class_names() == ("rec.sport", "sci.space")
    assert list(corpus.everything()) == [Review("goal", 0), Review("moon", 1)]


def draw(path: Path, bar: bool, chance: np.random.RandomState, size: int = 28) -> None:
    """A bar or a ring, dark on light as a pen draws it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    y, x = np.mgrid[:size, :size] - size / 2 + chance.uniform(-2, 2, (2, 1, 1))
    ink = np.abs(x) < size / 12 if bar else np.abs(np.hypot(x, y) - size / 4) < size / 14
    Image.fromarray(np.where(ink, 20, 240).astype(np.uint8)).save(path)


def test_folders_of_pictures_with_classes_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = np.random.RandomState(0)
    for number in range(80):
        size = (28, 32, 47)[number % 3]
        draw(tmp_path / "data" / "train" / ("bar" if number % 2 else "ring") / f"{number}.png", bool(number % 2), chance, size)
    run = tmp_path / "run"
    assert main(["train", "digits", "--out", str(run), "--set", f"corpus={tmp_path / 'data'}", "--set", "epochs=12"]) == 0
    draw(tmp_path / "new.png", False, chance, 60)
    capsys.readouterr()
    assert main(["classify", str(run), str(tmp_path / "new.png")]) == 0
    told = capsys.readouterr().out
    assert told.startswith("ring (")
    assert "█" in told or "▓" in told
    for name, bar in (("bar", True), ("ring", False)):
        draw(tmp_path / "test" / name / "1.png", bar, chance)
    assert main(["errors", str(run), "--on", str(tmp_path / "test")]) == 0
    assert "of 2 pictures" in capsys.readouterr().out
    draw(tmp_path / "other" / "star" / "1.png", True, chance)
    draw(tmp_path / "other" / "ring" / "1.png", True, chance)
    assert main(["errors", str(run), "--on", str(tmp_path / "other")]) == 2
    assert "pictures of bar, ring were expected; these are of 'star'" in capsys.readouterr().err
    assert main(["classify", str(run), "nowhere.png"]) == 2


def test_digits_in_folders_keep_their_own_numbers(tmp_path: Path) -> None:
    chance = np.random.RandomState(0)
    for digit in ("3", "7"):
        draw(tmp_path / digit / "a.png", digit == "7", chance)
    corpus = Digits(str(tmp_path))
    assert corpus.class_names() == tuple("0123456789")
    assert corpus.everything.labels.tolist() == [3, 7]


def test_known_names_win_over_folders_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "store" / "imdb"
    kept.mkdir(parents=True)
    table(kept / "train.csv", [("1", "good"), ("0", "bad")], ",")
    (tmp_path / "store" / "digits").mkdir()
    (tmp_path / "store" / "digits" / "mnist_5k.csv").write_text(
        "".join(f"{digit}," + ",".join("0" * 64) + "\n" for digit in (1, 2))
    )
    (tmp_path / "imdb").mkdir()  # a run folder that was called so
    (tmp_path / "imdb" / "recipe.toml").write_text("")
    monkeypatch.setenv("CLEARHEAD_DATA", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)
    assert list(read_reviews("imdb")) == [Review("good", 1), Review("bad", 0)]
    assert Digits("mnist").everything.labels.tolist() == [1, 2]
    assert main(["train", "sentiment", "--out", "imdb2", "--set", "corpus=nowhere"]) == 2
    assert not (tmp_path / "imdb2").exists()
