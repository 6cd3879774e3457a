"""What a run looked at while it answered: the attention of each layer over one question and its answer, as a picture."""

from pathlib import Path

import torch

from clearhead.corpora import Question, prompt
from clearhead.pictures import Panel, heatmap
from clearhead.saving import write_whole
from clearhead.training.runs import Run

PICTURE = "attention.svg"


@torch.no_grad()
def draw_attention(run: Run, question: Question, said: str, place: Path) -> Path | None:
    """One map a layer, the mean of its heads; nothing for a model that does not attend token by token."""
    tokens = [*prompt(run.vocabulary, question.text), *run.vocabulary.encode(said)][-run.block :]
    attended = run.model.trace(torch.tensor([tokens]))
    names = [run.vocabulary.decode([token]) or "·" for token in tokens]
    panels = []
    for number, layer in enumerate(attended, 1):
        weights = layer.weights[0].mean(0)  # (n_q, n_k)
        if weights.shape == (len(tokens), len(tokens)):
            shown = [[round(min(weight, 1.0), 2) for weight in row] for row in weights.tolist()]
            panels.append(Panel(shown, names, names, f"layer {number}, mean of {layer.weights.shape[1]} heads"))
    if not panels:
        return None
    write_whole(place, heatmap(panels))
    return place
