"""Reviews: every form they come in, what is wrong with a file by its line, and a split that nothing leaks through."""

import gzip
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearhead.corpora.examples.review_examples import ReviewExamples
from clearhead.corpora.sources.invented_reviews import invent_reviews
from clearhead.corpora.sources.reviews import Review, Reviews, places_of, read_reviews, words_of
from clearhead.corpora.vocabularies.words import UNKNOWN, WordVocabulary, learn_word_vocabulary
from clearhead.errors import ClearheadError, InputError

TABLE = 'id,label,text\n0,1,"Good, and ""fresh"".\nTwo lines."\n1,0,Awful\n'
WANTED = [Review('Good, and "fresh".\nTwo lines.', 1), Review("Awful", 0)]


@given(st.text())
def test_words_are_those_at_their_places(text: str) -> None:
    places = places_of(text)
    assert words_of(text) == [place.word for place in places]
    assert all(text[place.start : place.end].lower().replace("’", "'") == place.word for place in places)


def test_marks_of_pages_are_no_words() -> None:
    assert words_of("A 10/10 film.<br /><br />It’s GREAT!") == ["a", "10", "10", "film", "it's", "great", "!"]


def test_a_table_plain_or_packed(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "packed.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    (tmp_path / "mine.tsv").write_text('sentiment\treview\npositive\tSay "yes\nnegative\tNo\n', encoding="utf-8")
    assert list(read_reviews(str(tmp_path / "mine.csv"))) == WANTED
    assert list(read_reviews(str(tmp_path / "packed.csv.gz"))) == WANTED
    assert list(read_reviews(str(tmp_path / "mine.tsv"))) == [Review('Say "yes', 1), Review("No", 0)]


def test_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, files, table = tmp_path / "lines", tmp_path / "files", tmp_path / "table"
    for folder in (lines, files / "train" / "pos", files / "train" / "neg", table):
        folder.mkdir(parents=True)
    (lines / "mine.pos").write_text("Fine\nGood\n", encoding="utf-8")
    (lines / "mine.neg").write_text("Bad\n", encoding="utf-8")
    (files / "train" / "pos" / "1.txt").write_text("Good\nfilm", encoding="utf-8")
    (files / "train" / "neg" / "1.txt").write_text("Bad", encoding="utf-8")
    (table / "all.csv").write_text(TABLE, encoding="utf-8")
    monkeypatch.setenv("CLEARHEAD_DATA", str(tmp_path))
    assert list(read_reviews("lines")) == [Review("Bad", 0), Review("Fine", 1), Review("Good", 1)]
    assert list(read_reviews("files")) == [Review("Bad", 0), Review("Good\nfilm", 1)]
    assert list(read_reviews("table")) == WANTED


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"label,text\n1,Good\n7,Bad\n", "line 3: a label must be 0"),
        (b'label,text\n1,"Two\nlines"\n,Bad\n', "line 4: a label must be 0"),
        (b"label,text\n1,Good\n0,Bad,worse\n", "line 3: 2 columns"),
        (b"stars,words\n1,Good\n", "line 1: a column named text"),
        (b"label,text\n1,Good\n0,Sch\xf6n\n", "line 3: the text must be UTF-8"),
        (b"", "the file is empty"),
        (b'label,text\n1,"never closed\n0,Bad\n', "line 3: this is not a table"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "mine.csv"
    file.write_bytes(content)
    with pytest.raises(InputError, match=told) as caught:
        list(read_reviews(str(file)))
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.binary(max_size=60))
def test_any_bytes_are_reviews_or_one_clear_error(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.mktemp("any") / "mine.csv"
    file.write_bytes(b"label,text\n" + content)
    with suppress(ClearheadError):
        assert all(0 <= review.label < 60 for review in read_reviews(str(file)))


def test_a_damaged_gz_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv.gz"
    file.write_bytes(gzip.compress(TABLE.encode() * 50)[:-20])
    with pytest.raises(InputError, match="cannot be read"):
        list(read_reviews(str(file)))


def test_a_name_that_means_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="small-reviews"):
        read_reviews(str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="reviews were expected"):
        read_reviews(str(tmp_path))


def test_no_held_out_review_is_learned_from_even_where_it_stands_twice(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    lines = [f"{number % 2},film {number}" for number in range(400)]
    again = [f"{number % 2},FILM   {number}!".replace("!", "") for number in range(400)]
    file.write_text("\n".join(["label,text", *lines, *again]), encoding="utf-8")
    corpus = Reviews(str(file), 0.25)
    train, held = list(corpus.training()), list(corpus.validation())
    assert not {" ".join(words_of(each.text)) for each in train} & {" ".join(words_of(each.text)) for each in held}
    assert len(train) + len(held) == 800
    assert 0.15 < len(held) / 800 < 0.35


def test_the_built_in_ones_are_the_same_every_time_and_half_of_them_like_it() -> None:
    reviews = list(invent_reviews(400))
    assert reviews == list(invent_reviews(400))
    assert sum(label for _, label in reviews) == 200
    assert len({text for text, _ in reviews}) > 380
    assert reviews != list(invent_reviews(400, seed=1))


def test_a_vocabulary_is_learned_from_words_seen_twice() -> None:
    vocabulary = learn_word_vocabulary(["good good film 12", "film 34 once"], 100)
    assert vocabulary.words[3:] == ("good", "film", "DGDG")
    assert vocabulary.decode(vocabulary.encode("GOOD 99 never")) == f"good DGDG {UNKNOWN}"
    assert len(learn_word_vocabulary(["a a b b c c"], 5).words) == 5


def test_examples_are_words_and_a_label() -> None:
    vocabulary = learn_word_vocabulary(["good bad good bad film film"], 100)
    source = ReviewExamples(vocabulary, [Review("Good film!", 1), Review("...", 1), Review("Bad", 0)])
    assert len(source) == 2  # one has no words
    assert [vocabulary.decode(source.draw(index, 0, 0).inputs) for index in range(2)] == [f"good film {UNKNOWN}", "bad"]
    assert [source.draw(index, 0, 0).targets for index in range(2)] == [[1], [0]]


def test_reviews_of_one_kind_only_are_refused() -> None:
    vocabulary = WordVocabulary(["<s>", "</s>", UNKNOWN])
    with pytest.raises(InputError, match="two classes at least"):
        ReviewExamples(vocabulary, [Review("Good", 1)])
    with pytest.raises(InputError, match="nothing to learn from"):
        ReviewExamples(vocabulary, [])


def test_a_long_file_is_never_in_memory_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "long.csv"
    words = " ".join(["goodfilm" * 5] * 100)
    with file.open("w", encoding="utf-8") as out:
        out.write("label,text\n")
        for number in range(1000):
            out.write(f"{number % 2},{words} {number}\n")
    corpus = Reviews(str(file), 0.2)
    tracemalloc.start()
    source = ReviewExamples(learn_word_vocabulary((each.text for each in corpus.training()), 50), corpus.training())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(source) > 700
    assert peak < file.stat().st_size / 2


@pytest.mark.parametrize(
    "written",
    [
        "label;text\n1;good, really\n0;bad\n",
        '1,"good, really"\n0,bad\n',
        "good, really\t1\nbad\t0\n",
        'stars,text\n5,"good, really"\n1,bad\n3,so so\n',
        "4 stars;good, really\n1 star;bad\n3 stars;so so\n",
        "rating;review\n4.0;good, really\n2.0;bad\n",
    ],
)
def test_tables_as_people_have_them(tmp_path: Path, written: str) -> None:
    (tmp_path / "mine.csv").write_text(written)
    assert list(read_reviews(str(tmp_path / "mine.csv"))) == [Review("good, really", 1), Review("bad", 0)]


def test_a_table_without_labels_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("good,fine\nbad,poor\n")
    with pytest.raises(InputError, match="line 1: a label and a text were expected"):
        list(read_reviews(str(tmp_path / "mine.csv")))
