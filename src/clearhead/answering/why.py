"""Why an answer was given: where the model looked when it began the answer, and the sentence that taught it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clearhead.answering.answerer import Answerer
from clearhead.answering.name_index import NameIndex
from clearhead.answering.question_forms import Asking
from clearhead.answering.token_attention import token_maps
from clearhead.corpora import Birthplaces, prompt
from clearhead.pictures import Panel, heatmap, picture_file, require_picture_name
from clearhead.saving import save


@dataclass(frozen=True, slots=True)
class Looked:
    """How one layer looked, from the ⁇ where the answer begins and from the answer's first token, at each token before."""

    where: str  # which layer, or through what
    tokens: list[str]  # of the question, the ⁇ and the first of the answer
    from_mark: list[float]
    from_answer: list[float]
    name: list[int]  # which of the tokens are the name

    def on_name(self, weights: Sequence[float]) -> float:
        """The share of attention that falls on the name."""
        return sum(weights[place] for place in self.name)


def teaching_sentence(corpus: Birthplaces, index: NameIndex, name: str, answer: str) -> str | None:
    """The biography that has both the name and the answer; None where none has."""
    whole = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)", re.IGNORECASE)
    lines = [corpus.biographies[place] for place in index.lines(name) if place < len(corpus.biographies)]
    return next((line for line in lines if answer and whole.search(line)), None)


def looked(run: Answerer, asking: Asking, answer: str) -> list[Looked]:
    """The attention of each layer, or of a perceiver's all together, the mean of the heads."""
    asked = prompt(run.vocabulary, asking.text)
    tokens = [*asked, *run.vocabulary.encode(answer)[:1]]
    names = [run.vocabulary.decode([token]).strip() or "·" for token in tokens]
    inside = name_places(run, asking)
    found = []
    for where, weights in token_maps(run.model, tokens):
        mark, first = (shown(weights[row].tolist()) for row in (len(asked) - 1, len(tokens) - 1))
        found.append(Looked(where, names, mark, first, inside))
    return found


def shown(weights: Sequence[float]) -> list[float]:
    """As they are drawn: two decimals, never above 1."""
    return [round(min(weight, 1.0), 2) for weight in weights]


def name_places(run: Answerer, asking: Asking) -> list[int]:
    """Which tokens of the question are the name: those that come between what spells the text before it and up to its end."""
    before, found, _ = asking.text.partition(asking.name)
    if not found:
        return []
    start = len(run.vocabulary.encode(before.rstrip()))
    return list(range(start, len(run.vocabulary.encode(before + found))))


def placed(where: str) -> str:
    """
    >>> placed("layer 2"), placed("through the latents")
    ('in layer 2', 'through the latents')
    """
    return f"in {where}" if where.startswith("layer") else where


def draw_why(layers: Sequence[Looked], file: Path) -> None:
    """The attention as a map, one a layer, into an .svg or .png file."""
    require_picture_name(file)
    panels = [
        Panel([each.from_mark, each.from_answer], ["⁇", each.tokens[-1]], each.tokens, f"{each.where}, mean of the heads")
        for each in layers
    ]
    file.parent.mkdir(parents=True, exist_ok=True)
    save(picture_file(heatmap(panels), file), file)


def why_text(layers: Sequence[Looked], asking: Asking, answer: str, sentence: str | None, seen: bool) -> str:
    """In words: how much of the attention fell on the name, and the sentence."""
    begun = layers[0].tokens[-1]
    chosen = ", ".join(f"{each.on_name(each.from_mark):.0%} {placed(each.where)}" for each in layers)
    after = ", ".join(f"{each.on_name(each.from_answer):.0%} {placed(each.where)}" for each in layers)
    lines = [
        f"attention to the name {asking.name!r}: {chosen} when {begun!r} was chosen to begin the answer,",
        f"  and {after} from {begun!r} itself",
    ]
    if sentence is not None:
        lines.append(f"the corpus says: {sentence}")
    elif seen:
        lines.append(f"the corpus names {asking.name!r}, but nowhere together with {answer}")
    else:
        lines.append(f"no sentence of the corpus names {asking.name!r}")
    return "\n".join(lines)
