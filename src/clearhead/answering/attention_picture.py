"""What a run looked at while it answered: the attention of each layer over one question and its answer, as a picture."""

from pathlib import Path

from clearhead.answering.answerer import Answerer
from clearhead.answering.token_attention import token_maps
from clearhead.corpora import Question, prompt
from clearhead.pictures import Panel, heatmap
from clearhead.saving import write_whole

PICTURE = "attention.svg"


def draw_attention(run: Answerer, question: Question, said: str, place: Path) -> Path:
    """One map a layer, the mean of its heads; of a perceiver one of all layers together."""
    tokens = [*prompt(run.vocabulary, question.text), *run.vocabulary.encode(said)][-run.model.block :]
    names = [run.vocabulary.decode([token]) or "·" for token in tokens]
    panels = []
    for where, weights in token_maps(run.model, tokens):
        shown = [[round(min(weight, 1.0), 2) for weight in row] for row in weights.tolist()]
        panels.append(Panel(shown, names, names, f"{where}, mean of {run.model.config.heads} heads"))
    write_whole(place, heatmap(panels))
    return place
