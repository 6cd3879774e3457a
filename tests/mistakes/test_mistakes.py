"""Mistakes of a classifier: pushes are what really leaving a word out does, reasons are computed, the command tells it all."""

import json
import math
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.cli import main
from clearhead.corpora.sources.reviews import Review, places_of, words_of
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.mistakes.mistakes import found_errors
from clearhead.mistakes.mistakes_page import coloured
from clearhead.mistakes.reasons import negations, reasons_of, sentences
from clearhead.mistakes.review_errors import ReviewErrors, Sample
from clearhead.mistakes.word_pushes import Judged, judged
from clearhead.models import Averaging, AveragingConfig
from clearhead.models.reach import fill_randomly
from oracle import averaging as oracle

WORDS = ["good", "bad", "film", "not", "plot", "never", "a", "the", "!"]
VOCABULARY = WordVocabulary(["<s>", "</s>", "UUUNKKK", *WORDS])


def net(pairs: int, layers: int = 2) -> Averaging:
    model = Averaging(AveragingConfig(vocab=VOCABULARY.size, width=5, hidden=7, layers=layers, pairs=pairs)).double().eval()
    fill_randomly(model, 4)
    return model


@settings(max_examples=60)
@given(
    words=st.lists(st.sampled_from([*WORDS, "strange"]), min_size=1, max_size=8),
    pairs=st.sampled_from([0, 19]),
    layers=st.integers(0, 3),
)
def test_a_push_is_what_really_leaving_the_word_out_does(words: list[str], pairs: int, layers: int) -> None:
    model = net(pairs, layers)
    found = judged(model, VOCABULARY, Review(" ".join(words), 1))
    ids = VOCABULARY.encode(" ".join(words_of(" ".join(words))))
    assert found.logits[1] - found.logits[0] == pytest.approx(oracle.logit(oracle.weights_of(model), ids), abs=1e-10)
    assert found.pushes == pytest.approx(oracle.pushes(oracle.weights_of(model), ids), abs=1e-10)


def test_the_oracle_rejects_an_approximation() -> None:
    """The gradient's first-order push, and the sum without the new pair: both are close, and both are wrong."""
    model, text = net(19), "not a good film !"
    ids = VOCABULARY.encode(text)
    wanted = oracle.pushes(oracle.weights_of(model), ids)
    vectors = model.vectors(torch.tensor([ids]))[0].detach()
    whole = model.judge(vectors.mean(0))[1]
    no_new_pair = [whole - model.judge((vectors.sum(0) - each) / (len(ids) - 1))[1] for each in vectors]
    assert [each.item() for each in no_new_pair] != pytest.approx(wanted, abs=1e-6)
    average = vectors.mean(0).detach().requires_grad_()
    model.judge(average)[1].backward()
    first_order = ((vectors - average) @ average.grad / (len(ids) - 1)).tolist()
    assert first_order != pytest.approx(wanted, abs=1e-6)


def test_a_review_without_words_has_no_pushes() -> None:
    assert judged(net(19), VOCABULARY, Review("...", 0)).pushes == ()


def pretended(text: str, logit: float, pushes: list[float] | None = None) -> Judged:
    places = tuple(places_of(text))
    return Judged(Review(text, 0), places, (0.0, logit), tuple(pushes or [0.0] * len(places)))


def names(judged: Judged, reread) -> list[str]:
    return [reason.name for reason in reasons_of(judged, lambda numbers: (0.0, reread(numbers)))]


def test_near_the_border() -> None:
    assert names(pretended("fine", math.log(0.6 / 0.4)), lambda numbers: 1.0) == ["near the border"]
    assert names(pretended("fine", math.log(0.7 / 0.3)), lambda numbers: 1.0) == []


def test_negation_scope_ends_at_a_stop_and_after_four_words() -> None:
    text = "It is not a good film, really. I never saw one so very dull today. Don't!"
    judged = pretended(text, 2.0)
    found = [" ".join(judged.places[number].word for number in each) for each in negations(judged)]
    assert found == ["not a good film", "never saw one so very", "don't"]


def test_negation_scope_holds_only_where_the_verdict_turns() -> None:
    judged = pretended("The plot is not good at all. I left early and went home.", 2.0)
    good = [place.word for place in judged.places].index("good")

    def by_good(numbers) -> float:
        return 2.0 if good in numbers else -1.0

    told = next(
        reason.told for reason in reasons_of(judged, lambda numbers: (0.0, by_good(numbers))) if reason.name == "negation scope"
    )
    assert "not good at all" in told
    assert "disliked (0.73)" in told
    assert "negation scope" not in names(judged, lambda numbers: 2.0)


def test_opening_against_ending_compares_thirds() -> None:
    judged = pretended("one two three four five six seven eight nine", 1.5)
    assert names(judged, lambda numbers: 3.0 if 0 in numbers else -3.0) == ["opening against ending"]
    assert "opening against ending" not in names(judged, lambda numbers: -3.0 if 0 in numbers else 3.0)
    assert names(judged, lambda numbers: 3.0) == []


def test_mixed_sentiment_is_by_sentences() -> None:
    judged = pretended("Good cast. Poor plot, sadly! What else? Fine music", 2.0)
    assert [len(each) for each in sentences(judged)] == [2, 4, 3, 2]
    assert "mixed sentiment" in names(judged, lambda numbers: -1.0 if 2 in numbers or 6 in numbers else 1.0)
    assert "mixed sentiment" not in names(judged, lambda numbers: -1.0 if 9 in numbers else 1.0)


@given(size=st.integers(1, 5), offered=st.integers(0, 12))
def test_a_sample_is_as_large_as_it_can_be_and_holds_what_was_offered(size: int, offered: int) -> None:
    import random

    reviews = [Review(str(number), 0) for number in range(offered)]
    sample = Sample(size, random.Random(0))
    for review in reviews:
        sample.offer(review)
    drawn = sample.drawn()
    assert len(drawn) == min(size, offered) == len(set(drawn))
    assert set(drawn) <= set(reviews)


def test_the_page_shows_the_text_as_it_was_written_and_runs_nothing_of_it() -> None:
    shown = coloured(pretended("<script>alert(1)</script> GOOD & bad<br />end", 1.0, [0.5] * 7))
    assert "<script" not in shown
    assert "&amp;" in shown
    assert ">GOOD</span>" in shown
    assert "\n" in shown


@pytest.fixture(scope="module")
def sentiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "sentiment"
    assert main(["train", "sentiment", "--out", str(folder), "--set", "model.pairs=4096", "--set", "epochs=1.5"]) == 0
    return folder


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "digits"
    assert main(["train", "digits", "--out", str(folder), "--set", "epochs=3"]) == 0
    return folder


def test_the_built_in_reviews_from_train_to_page(sentiment: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "errors.html"
    assert main(["errors", str(sentiment), "--count", "2", "--baseline", "--html", str(page)]) == 0
    told = capsys.readouterr().out
    assert "bag of words, logistic regression" in told
    assert "pushed there:" in told
    assert "Sarcasm cannot be detected" in told
    written = page.read_text(encoding="utf-8")
    assert written.count("<section>") == 2
    assert "http" not in written
    figures = json.loads((sentiment / "figures.json").read_text(encoding="utf-8"))
    assert figures["accuracy"] > 0.7
    assert figures["baselines"].keys() == {"bag of words, logistic regression", "tf-idf, logistic regression"}


def test_the_same_seed_shows_the_same_mistakes_and_another_others(sentiment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clearhead.mistakes.review_errors.COMPARED", 10)
    first, again, other = (found_errors(sentiment, 5, seed) for seed in (0, 0, 1))
    assert isinstance(first, ReviewErrors)
    assert first == again
    assert {each.judged.review for each in first.sample} != {each.judged.review for each in other.sample}
    assert all(not each.judged.right for each in first.sample)


def test_errors_as_json(sentiment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errors", str(sentiment), "--count", "1", "--json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    (mistake,) = tree["sample"]
    assert all(mistake["text"][word["start"] : word["end"]].lower() == word["word"] for word in mistake["words"])
    assert 0 <= tree["accuracy"] <= 1


def test_digits_from_train_to_page(digits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "errors.html"
    assert main(["errors", str(digits), "--count", "2", "--baseline", "--html", str(page)]) == 0
    told = capsys.readouterr().out
    assert "read as" in told
    assert "logistic regression on pixels" in told
    assert "read as" in page.read_text(encoding="utf-8")
    assert json.loads((digits / "figures.json").read_text(encoding="utf-8"))["accuracy"] > 0.8


@pytest.mark.parametrize("setting", ["model.pooling=max", "model.pooling=convolution"])
def test_the_other_digits_train_too(setting: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert main(["train", "digits", "--out", str(out), "--set", "epochs=2", "--set", setting]) == 0
    assert found_errors(out).accuracy > 0.7


def test_what_cannot_be_is_said_in_one_line(sentiment: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("label,text\n7,Good\n", encoding="utf-8")
    for arguments, told in (
        (["errors", str(tmp_path)], "run folder"),
        (["errors", str(sentiment), "--count", "-1"], "count"),
        (["perplexity", str(sentiment)], "holds nothing out"),
        (["sample", str(sentiment)], "language model"),
        (["train", "sentiment", "--out", str(tmp_path / "r"), "--set", f"corpus={bad}"], "line 2: a label must be 0"),
        (["train", "sentiment", "--out", str(tmp_path / "r"), "--set", "vocabulary.kind=characters"], "needs words"),
        (["train", "digits", "--out", str(tmp_path / "r"), "--set", "corpus=nowhere"], "small-digits"),
    ):
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert told in error
        assert error.count("\n") == 1


def test_a_run_of_text_has_no_mistakes_to_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "gru"
    settings = ["corpus=world", "epochs=0", "training.tokens=2048", "model.width=8"]
    assert main(["train", "characters-gru", "--out", str(out), *(part for each in settings for part in ("--set", each))]) == 0
    assert main(["errors", str(out)]) == 2
    assert "clearhead train sentiment" in capsys.readouterr().err


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize(
    ("recipe", "corpus", "least", "more"),
    [("sentiment", "imdb", 0.86, ["--set", "epochs=1"]), ("digits", "digits", 0.96, [])],
)
def test_the_figures_promised_on_real_data(
    recipe: str, corpus: str, least: float, more: list[str], real_data: Path, tmp_path: Path
) -> None:
    assert main(["train", recipe, "--out", str(tmp_path / "run"), "--set", f"corpus={corpus}", *more]) == 0
    assert found_errors(tmp_path / "run").accuracy >= least
