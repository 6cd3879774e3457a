"""Model and side model together are a distribution over texts, and knowing less is never cheaper."""

import itertools
import math
import tracemalloc

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.corpora import BytePairVocabulary, CharacterVocabulary, Vocabulary
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import InputError
from clearhead.models import GPT, Bigram, BigramConfig, GPTConfig, Recurrent, RecurrentConfig
from clearhead.perplexity import figures
from clearhead.perplexity.derivation import derived, in_columns, lines_of
from clearhead.perplexity.figures import Counted, measured, nats_of
from clearhead.perplexity.side_model import Adaptive, Spelling, fixed, length_cost, one_character, spelled_out

WORDS = WordVocabulary(["<s>", "</s>", "UUUNKKK", "a", "b", "DG", ".", "'s", "the", "mr.", "``", "''", "DGDGDGDG"])
LETTERS = CharacterVocabulary("\n ab.")


def model_for(vocabulary: Vocabulary, kind: str = "gpt") -> torch.nn.Module:
    """A model with random weights: whatever it says, the sums must hold."""
    torch.manual_seed(4)
    if isinstance(vocabulary, WordVocabulary):
        model: torch.nn.Module = Bigram(BigramConfig(vocab=vocabulary.size, width=4, hidden=6))
    elif kind == "gru":
        model = Recurrent(RecurrentConfig(vocab=vocabulary.size, width=6))
    else:
        model = GPT(GPTConfig(vocab=vocabulary.size, context=8, layers=1, heads=2, width=8, dropout=0.0))
    for weight in model.parameters():
        torch.nn.init.normal_(weight, std=0.7)
    return model.eval()


@pytest.mark.parametrize(
    ("vocabulary", "kind", "alphabet", "longest"),
    [(LETTERS, "gpt", "ab?", 4), (LETTERS, "gru", "a .é", 3), (WORDS, "bigram", "aB 1", 4), (WORDS, "bigram", "a.\n", 4)],
)
def test_all_short_texts_together_are_no_more_than_one(vocabulary: Vocabulary, kind: str, alphabet: str, longest: int) -> None:
    model = model_for(vocabulary, kind)
    texts = ["".join(some) for size in range(1, longest + 1) for some in itertools.product(alphabet, repeat=size)]
    total = sum(math.exp(-nats_of(model, vocabulary, text)) for text in texts)
    assert 0 < total <= 1
    free = [math.exp(-measured(model, vocabulary, [text], charged=False).total) for text in texts]
    assert sum(free) > total  # what is not charged is given away ...


def test_without_the_charge_the_shares_are_no_distribution() -> None:
    model = model_for(WORDS)
    texts = ["".join(some) for some in itertools.product("qwxyz", repeat=3)]  # all of them UUUNKKK
    assert sum(math.exp(-measured(model, WORDS, [text], charged=False).total) for text in texts) > 1
    assert sum(math.exp(-nats_of(model, WORDS, text)) for text in texts) <= 1


TEXTS = st.text(st.sampled_from("aB\n '.,1\"é the") | st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)


@settings(deadline=None, max_examples=150)
@given(TEXTS, st.integers(1, 7))
def test_a_derivation_spells_the_very_text_however_it_is_cut(text: str, size: int) -> None:
    chunks = [text[start : start + size] for start in range(0, len(text), size)]
    for vocabulary in (LETTERS, WORDS):
        assert "".join(piece.text for piece in derived(vocabulary, chunks)) == text
    assert "".join(lines_of(chunks)) == text
    assert [*derived(WORDS, chunks)] == [*derived(WORDS, [text])]


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.integers(1, 7), st.integers(1, 9))
def test_prices_in_bulk_are_those_of_one_character_after_the_other(text: str, size: int, most: int) -> None:
    chunks = [text[start : start + size] for start in range(0, len(text), size)]
    unknown, spelled, wanted = 0, Adaptive(one_character), []
    for total, character in enumerate(text):
        odds, known = (unknown + 1) / (total + 1000), character in LETTERS.characters
        wanted.append(-math.log1p(-odds) if known else -math.log(odds) + spelled.cost(character))
        unknown += not known
    columns = [*in_columns(LETTERS, chunks, most)]
    assert max(map(len, columns)) <= most
    assert sum(len(some) for some in columns) == len(text)
    assert [cost for some in columns for cost in sum(some.charges.values()).tolist()] == pytest.approx(wanted)
    assert [id for some in columns for id in some.fed.tolist()] == LETTERS.encode(text) == LETTERS.encode_in_bulk(text).tolist()
    assert [piece.predicted is None for piece in derived(LETTERS, chunks)] == [
        piece.unknown for piece in derived(LETTERS, [text])
    ]


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.integers(1, 7))
def test_what_a_text_is_made_of_is_counted_in_chunks(text: str, size: int) -> None:
    counted = Counted()
    list(counted.through(text[start : start + size] for start in range(0, len(text), size)))
    assert (counted.bytes, counted.characters, counted.words) == (len(text.encode()), len(text), len(text.split()))


def test_an_unknown_word_is_never_cheaper_than_a_known_one() -> None:
    model = model_for(WORDS)
    torch.nn.init.zeros_(model.head.weight)
    torch.nn.init.zeros_(model.head.bias)
    model.head.bias.data[WORDS.unknown] = 3  # unknown is by far the most likely, as in a small vocabulary
    known, unknown = (measured(model, WORDS, [f"a {word} a"]) for word in ("the", "thy"))
    assert unknown.model < known.model  # the course's figure: cheaper by not knowing
    assert unknown.total > known.total
    assert unknown.side["unknown words"] > 3


def test_every_base_is_a_distribution() -> None:
    strings = ["".join(some) for size in range(4) for some in itertools.product("ab", repeat=size)]
    for base in (Spelling(["ab", "ba"]), spelled_out, fixed({"a": 0.5, "b": 0.3}, spelled_out)):
        assert 0 < sum(math.exp(base(text)) for text in strings) <= 1
    assert sum(math.exp(one_character(chr(code))) for code in range(128)) <= 1
    assert sum(math.exp(-length_cost(size)) for size in range(100_000)) == pytest.approx(1, abs=1e-4)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.sampled_from("abc"), max_size=8))
def test_an_adaptive_is_a_distribution_at_every_moment(past: list[str]) -> None:
    def shares_after() -> list[float]:
        found = []
        for following in "abc":
            adaptive = Adaptive(fixed({"a": 0.6, "b": 0.3, "c": 0.1}), strength=0.5)
            for symbol in past:
                adaptive.cost(symbol)
            found.append(math.exp(-adaptive.cost(following)))
        return found

    assert sum(shares_after()) == pytest.approx(1)


def test_a_word_too_long_for_a_float_has_a_price() -> None:
    cost = nats_of(model_for(WORDS), WORDS, "q" * 5000)
    assert 5000 < cost < 50_000


def test_the_base_of_the_logarithm_is_irrelevant() -> None:
    figures = measured(model_for(LETTERS), LETTERS, ["ab ab.\n"])
    bits = figures.model / math.log(2)
    assert 2 ** (bits / figures.tokens) == pytest.approx(figures.perplexity(figures.tokens, figures.model))
    assert figures.tree()["perplexity_per_character"] == pytest.approx(2 ** figures.tree()["bits_per_byte"])  # ASCII


def test_the_model_is_asked_for_each_token_after_all_before_it() -> None:
    model = model_for(LETTERS)
    text = "ab.a"
    ids = LETTERS.encode("\n" + text)
    logits = model(torch.tensor([ids]))[0, :-1].double()
    logits[:, [0, 1]] = -math.inf
    wanted = -logits.log_softmax(-1)[range(4), ids[1:]].sum().item()
    assert measured(model, LETTERS, [text]).model == pytest.approx(wanted, rel=1e-5)


def test_byte_pairs_pay_for_everything() -> None:
    vocabulary = BytePairVocabulary.of(["ab ab abab"] * 5, 262)
    figures = measured(model_for(vocabulary), vocabulary, ["abé\nab"])
    assert figures.unknown == 0
    assert figures.side["spacing"] == pytest.approx(2 * math.log(2))


def test_a_long_text_streams_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "HELD", 1024)
    model = model_for(WORDS)
    peaks = []
    for lines in (1_000, 5_000):
        tracemalloc.start()
        measured(model, WORDS, (f"a b the word{number % 50} .\n" for number in range(lines)))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0] + 1_000_000


def test_nothing_to_predict_is_refused() -> None:
    with pytest.raises(InputError, match="empty"):
        measured(model_for(LETTERS), LETTERS, [])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Mr. Smith's 1987", ["mr.", "UUUNKKK", "'s", "DGDGDGDG"]),
        ('"A" b.', ["``", "a", "''", "b", "."]),
        ("the\n\nthe", ["the", "</s>", "the"]),
        ("a. B", ["a", ".", "</s>", "b"]),
    ],
)
def test_running_text_as_words(text: str, words: list[str]) -> None:
    ids = [piece.predicted for piece in derived(WORDS, [text]) if piece.predicted is not None]
    assert [WORDS.words[index] for index in ids[:-1]] == words
    assert WORDS.words[ids[-1]] == "</s>"
