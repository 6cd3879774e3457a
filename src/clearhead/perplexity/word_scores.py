"""A model of words scored on sentences, beside the models that only count."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import torch

from clearhead.corpora.sources.sentences import Sentences, read_sentences
from clearhead.corpora.text_files import find_file, read_chunks
from clearhead.corpora.vocabularies.words import WordVocabulary
from clearhead.errors import InputError
from clearhead.models import Bigram
from clearhead.perplexity.pair_counts import LogTable, WordScore, baselines, pairs_of, word_score
from clearhead.training.folders.runs import Run

LOOKED_AT, FEWEST = 200, 4  # lines by which a file of columns is told


def in_columns(file: Path) -> bool:
    """Whether a file has one token a line with its tags (no small letters in them), and so no text of its own."""
    first = [line.split() for line in next(read_chunks(file)).split("\n")[:LOOKED_AT] if line.strip()]
    columns = {len(parts) for parts in first}
    return len(first) >= FEWEST and columns in ({2}, {3}) and not any(c.islower() for parts in first for c in parts[-1])


@torch.no_grad()
def table_of(model: Bigram, start: int) -> LogTable:
    """The neural bigram as a table like the counted ones: nothing predicts <s>."""
    model.eval()
    logits = model(torch.arange(model.config.vocab, device=model.device)).cpu().double()
    logits[:, start] = -torch.inf
    table: LogTable = logits.log_softmax(-1).numpy()
    return table


def score_words(run: Run, sentences: Iterable[Sequence[str]], beside: bool = True) -> list[WordScore]:
    """Perplexity a word of a run, and of every counting model trained on the same sentences."""
    vocabulary = run.vocabulary
    if not isinstance(vocabulary, WordVocabulary) or not isinstance(run.model, Bigram):
        raise InputError("a file of tokens and tags has no text of its own; only a model of words can be scored on it.")
    pairs = pairs_of(vocabulary, sentences)
    tables = {"neural bigram": table_of(run.model, vocabulary.pad)}
    if beside:
        assert isinstance(run.corpus, Sentences)  # a bigram learns from no other
        tables |= baselines(vocabulary, pairs_of(vocabulary, run.corpus.training()))
    return [word_score(name, table, pairs, vocabulary.unknown) for name, table in tables.items()]


def score_dev(run: Run) -> list[WordScore]:
    """The file that the recipe names as dev, with every baseline."""
    if not run.recipe.text.dev:
        raise InputError(f"{run.folder}: its recipe names no text.dev; name a file.")
    return score_words(run, read_sentences(find_file(run.recipe.text.dev)))


def words_table(title: str, scores: Sequence[WordScore]) -> str:
    """Perplexities in columns."""
    lines = [title, f"  {'':32}{'UUUNKKK a word':>16}{'without it':>14}"]
    lines += [f"  {score.name:32}{score.perplexity:>16.2f}{score.without_unknown:>14.2f}" for score in scores]
    return "\n".join(lines)
