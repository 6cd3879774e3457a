"""How right one can be with the biography at hand: what the aims of the knowledge experiment have above them.

CLEARHEAD_DATA=… .venv/bin/python benchmarks/open_book.py teaches readers that have the person's biography before them which of
its names the answer is, by the same training questions, and asks them the dev questions. A model that has to remember cannot be
expected to do better than one that may look it up. The result goes to benchmarks/open_book.md.
"""

import math
import os
import statistics
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from machine import described
from scipy.sparse import csr_matrix
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from clearhead.answering.question_forms import asking_of
from clearhead.corpora import Birthplaces, Question, find_corpus
from clearhead.corpora.examples.salient_spans import ordinary_words, salient_spans
from clearhead.wilson import wilson

HERE = Path(__file__).parent
SEEDS = (0, 1, 2)
LOOKED_AT = 4  # characters before and after a name that count by themselves
Features = dict[str, float]
Asked = tuple[Question, list[str], list[Features]]


def biography(corpus: Birthplaces, name: str) -> str:
    """The biography that begins with a name, else the first that has it, else none."""
    beginning = (text for text in corpus.biographies if text.startswith(f"{name}."))
    having = (text for text in corpus.biographies if name in text)
    return next(beginning, None) or next(having, "")


def features(text: str, spans: Sequence[tuple[int, int]], place: int, usual: int) -> Features:
    """What a reader may go by: where a name stands, what stands around it, and how often the answer was that name elsewhere."""
    start, end = spans[place]
    name, before, after = text[start:end], text[:start], text[end:]
    words, born = before.lower().split(), before.lower().rfind("born")
    since = [first for first, last in spans[:place] if first > born and not text[first].isdigit()]
    around = [f"before {word}" for word in words[-3:]] + [f"last {word}" for word in words[-1:]]
    around += [f"just before {before[-LOOKED_AT:]}", f"just after {after[:LOOKED_AT]}", f"place {min(place, 9)}"]
    around += [f"next {word}" for word in after.lower().split()[:1]]
    return dict.fromkeys(around, 1.0) | {
        "place": float(place),
        "start": math.log1p(start),
        "chained": float(place > 0 and text[spans[place - 1][1] : start] in (", ", " ")),
        "digits": float(name[0].isdigit()),
        "born": float(born >= 0),
        "since born": math.log1p(start - born) if born >= 0 else 9.0,
        "names since born": float(len(since)),
        "words": float(len(name.split())),
        "own name": float(name in text.partition(". ")[0]),
        "usual": math.log1p(usual),
    }


def asked(corpus: Birthplaces, questions: Sequence[Question]) -> list[Asked]:
    """Each question with the names of its biography and what can be said of each; none where there is no biography."""
    ordinary = ordinary_words(corpus.biographies)
    answers = Counter(question.answer for question in corpus.train)
    learned_from, found = set(corpus.train), []
    for question in questions:
        text = biography(corpus, asking_of(question.text).name)
        spans = salient_spans(text, ordinary)
        names = [text[start:end] for start, end in spans]
        elsewhere = answers - Counter([question.answer] if question in learned_from else [])  # not the answer to this question
        rows = [features(text, spans, place, elsewhere[name]) for place, name in enumerate(names)]
        found.append((question, names, rows))
    return found


def rights(learner: Any, corpus: Birthplaces) -> list[bool]:
    """Whether each dev question is answered right by a reader taught by the training questions."""
    table, taught, dev = DictVectorizer(), asked(corpus, corpus.train), asked(corpus, corpus.dev)
    table.fit([row for _, _, rows in taught for row in rows])
    learner.fit(tabled(table, taught), [name == question.answer for question, names, _ in taught for name in names])
    shares = iter(learner.predict_proba(tabled(table, dev))[:, 1])
    return [
        max(((next(shares), name) for name in names), default=(0.0, ""))[1] == question.answer for question, names, _ in dev
    ]


def tabled(table: DictVectorizer, questions: Sequence[Asked]) -> csr_matrix:
    """What can be said of every name, a row each; learners want small indices."""
    wide = table.transform([row for _, _, rows in questions for row in rows])
    return csr_matrix((wide.data, wide.indices.astype("int32"), wide.indptr.astype("int32")), wide.shape)


def main() -> None:
    corpus = find_corpus(str(Path(os.environ["CLEARHEAD_DATA"]) / "birthplaces"))
    dev = asked(corpus, corpus.dev)
    lines = ["# With the book open", "", described(), "", "| reader | dev | 95 % |", "| --- | --- | --- |"]
    stands = sum(str(question.answer) in biography(corpus, asking_of(question.text).name) for question in corpus.dev)
    named = sum(question.answer in names for question, names, _ in dev)
    for title, count in (("the answer stands in the biography", stands), ("... as one of its names", named)):
        lines.append(f"| {title} | {count / len(dev):.1%} | |")
    for title, made in (
        ("logistic regression", lambda seed: LogisticRegression(C=0.3, solver="liblinear")),
        ("random forest", lambda seed: RandomForestClassifier(200, min_samples_leaf=2, n_jobs=2, random_state=seed)),
    ):
        counts = [sum(rights(made(seed), corpus)) for seed in SEEDS]
        low, high = wilson(round(statistics.mean(counts)), len(dev))
        lines.append(f"| {title} | {statistics.mean(counts) / len(dev):.1%} | {low:.1%} to {high:.1%} |")
    lines += [
        "",
        "Readers that have the biography before them and were taught by the same 2,000 training questions which of its names "
        f"the answer is (three seeds where there is chance); {len(dev)} dev questions.",
    ]
    text = "\n".join(lines) + "\n"
    (HERE / "open_book.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
