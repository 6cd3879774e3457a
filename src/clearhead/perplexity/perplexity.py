"""A question about perplexity answered: files or what was held out, one run or two, as text or as JSON."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from clearhead.corpora.shards.sharded_text import ShardedText
from clearhead.corpora.sources.running_text import RunningText
from clearhead.corpora.sources.sentences import Sentences, read_sentences
from clearhead.corpora.text_files import find_file
from clearhead.errors import InputError
from clearhead.perplexity.figures import measured, token_costs
from clearhead.perplexity.file_report import ROWS, number, report_on
from clearhead.perplexity.surprisal_page import write_page
from clearhead.perplexity.word_scores import in_columns, score_dev, score_words, words_table
from clearhead.progress import Bar, unseen
from clearhead.training.folders.runs import Run, trained


def answered(
    folders: Sequence[Path],
    files: Sequence[Path],
    *,
    charged: bool,
    why: bool,
    heatmap: Path | None,
    as_json: bool,
    on: str = "",
    bar: Bar = unseen,
) -> str:
    """What `clearhead perplexity` prints."""
    runs = [trained(folder) for folder in folders]
    runs = [run.on(on) for run in runs] if on else runs
    if heatmap is not None:
        if len(files) != 1:
            raise InputError(f"a heatmap shows one file; {len(files)} came.")
        write_page(runs[0], find_file(str(files[0])), heatmap)
    parts = [on_file(runs, find_file(str(file)), charged, why, bar) for file in files] or [held_out(run, bar) for run in runs]
    if as_json:
        return json.dumps([tree for _, tree in parts], indent=1, ensure_ascii=False)
    told = [text for text, _ in parts]
    return "\n\n".join([*told, f"the text coloured by surprisal: {heatmap}"] if heatmap else told)


def on_file(runs: Sequence[Run], file: Path, charged: bool, why: bool, bar: Bar) -> tuple[str, dict[str, Any]]:
    """One file: its figures over bytes, or over words only where it is a list of tokens."""
    if in_columns(file):
        sides = [(run.folder.name, score_words(run, read_sentences(file))) for run in runs]
        text = "\n\n".join(words_table(f"{file} under {name}, perplexity a word:", scores) for name, scores in sides)
        return text, {
            "file": str(file),
            "runs": [{"run": name, "words": [asdict(s) for s in scores]} for name, scores in sides],
        }
    report = report_on(runs, file, charged, why, bar)
    return report.text(), report.tree()


def held_out(run: Run, bar: Bar) -> tuple[str, dict[str, Any]]:
    """What the recipe of a run holds out, scored whole."""
    run.require_same_data(shell="(--on)")
    if isinstance(run.corpus, Sentences):
        scores = score_dev(run)
        title = f"{run.recipe.text.dev} under {run.folder.name}, perplexity a word:"
        return words_table(title, scores), {"file": run.recipe.text.dev, "words": [asdict(score) for score in scores]}
    if isinstance(run.corpus, ShardedText) and run.corpus.boundary < run.corpus.shards.tokens:
        return held_out_tokens(run, run.corpus, bar)
    if not isinstance(run.corpus, RunningText) or run.corpus.boundary == run.corpus.characters:
        raise InputError(f"{run.folder} holds nothing out; name a file to score.")
    with bar(f"what {run.folder.name} held out", "bytes") as shown:
        figures = measured(run.model, run.vocabulary, run.corpus.validation(), shown=shown)
    tree = figures.tree() | {"nats_per_token": figures.model / figures.tokens}
    lines = [f"the held-out end of {run.corpus.name}, {figures.text.characters:,} characters, under {run.folder.name}:"]
    lines += [f"  {name:50}{number(tree[key]):>18}" for key, name in ROWS.items()]
    lines.append(f"  {'nats a token':50}{tree['nats_per_token']:>18.4f}")
    return "\n".join(lines), {"file": run.corpus.name, "run": run.folder.name, **tree}


def held_out_tokens(run: Run, corpus: ShardedText, bar: Bar) -> tuple[str, dict[str, Any]]:
    """The end of the shards, which are tokens and no text: what it costs a token, and no bits a byte."""
    tokens = corpus.shards.tokens - corpus.boundary
    with bar(f"what {run.folder.name} held out", "tokens") as shown:
        nats = sum(token_costs(run.model, run.vocabulary, corpus.held_out(), lambda done: shown(done, tokens)))
    tree = {"perplexity_per_token": math.exp(min(nats / tokens, 700.0)), "nats_per_token": nats / tokens, "tokens": tokens}
    lines = [
        f"the held-out end of {corpus.name}, {tokens:,} tokens, under {run.folder.name}:",
        f"  {ROWS['perplexity_per_token']:50}{number(tree['perplexity_per_token']):>18}",
        f"  {'nats a token':50}{tree['nats_per_token']:>18.4f}",
        "  (shards hold tokens and no text: for bits a byte, which other models can be compared by, name a text file)",
    ]
    return "\n".join(lines), {"file": corpus.name, "run": run.folder.name, **tree}
