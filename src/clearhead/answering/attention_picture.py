"""What a run looked at while it answered: every head of every layer over one question and its answer, as a picture."""

from pathlib import Path

import torch

from clearhead.answering.answerer import Answerer
from clearhead.corpora import Question, prompt
from clearhead.pictures import HeadTile, heads_grid
from clearhead.saving import write_whole

PICTURE = "attention.svg"


@torch.no_grad()
def draw_attention(run: Answerer, question: Question, said: str, place: Path) -> Path:
    """One small map a head, a row of them a layer; a perceiver's first and last rows are of its latents."""
    tokens = [*prompt(run.vocabulary, question.text), *run.vocabulary.encode(said)][-run.model.block :]
    read = torch.tensor([tokens], device=run.model.device)
    layers = [layer.weights[0].tolist() for layer in run.model.trace(read)]  # (heads, n_q, n_k) each
    tiles = [
        [HeadTile(f"{number}.{head}", weights) for head, weights in enumerate(layer, 1)]
        for number, layer in enumerate(layers, 1)
        if layer[0]
    ]
    names = [f"layer {row[0].name.partition('.')[0]}" for row in tiles]
    title = f"Every head while it answered {said or 'nothing'}; rows look at columns"
    write_whole(place, heads_grid(tiles, names, title, run.vocabulary.decode(tokens)))
    return place
