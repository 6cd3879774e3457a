"""A run and a text to a look: what it read, the attention it paid, where the names stand."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from clearhead.attention import table
from clearhead.corpora.examples.salient_spans import salient_spans
from clearhead.errors import InputError
from clearhead.lens.capture.recording import Recorded, recorded
from clearhead.lens.capture.token_names import token_names, tokens_within
from clearhead.lens.looks import Array, LayerLook
from clearhead.models import GPT
from clearhead.models.model import Model
from clearhead.models.perceiver import Perceiver
from clearhead.training.folders.runs import Run
from clearhead.training.recipes.objectives import OBJECTIVES

INSTEAD = {
    "Bigram": "it has one table: how likely each word is after the one before; see it with clearhead perplexity or sample",
    "Recurrent": "it carries a state from token to token instead; see what it says with clearhead sample or perplexity",
    "Averaging": "it takes the mean of its word vectors instead; see what pushed it with clearhead errors",
    "ConvNet": "it slides filters over pictures instead; see what it got wrong with clearhead errors",
}
"""What a model without attention has, and where to look at that."""

OPENERS = frozenset({"did", "how", "in", "is", "tell", "the", "was", "what", "when", "where", "which", "who", "why"})


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text as a model is given it."""

    text: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    names: tuple[int, ...]  # places of names
    notes: tuple[str, ...] = ()


def attending_model(run: Run) -> GPT:
    """The model of a run, if it attends; else what it has instead."""
    return require_attention(run.model, str(run.folder))


def require_attention(model: Model, where: str) -> GPT:
    """Refuse a model without attention, saying what it has instead."""
    if not isinstance(model, GPT):
        instead = INSTEAD.get(type(model).__name__, "look at what it predicts with clearhead sample or perplexity")
        raise InputError(f"{where} holds a {type(model).__name__}, which has no attention: {instead}.")
    return model


def answers_questions(run: Run) -> bool:
    """Whether it was trained on `question ⁇ answer ⁇`."""
    return any(each.kind == "questions" for each in run.recipe.objectives) and all(
        OBJECTIVES[each.kind] == "birthplaces" for each in run.recipe.objectives
    )


def read_text(run: Run, text: str, room: int = 0) -> ReadText:
    """The text as tokens, with the ⁇ after it where the run answers questions; what is too long is cut at its start, and told.

    `room` tokens of the context stay free.
    """
    model, vocabulary = attending_model(run), run.vocabulary
    ids = vocabulary.encode(text)
    if not text.strip() or not ids:
        raise InputError('the text is empty; give a sentence, such as "Where was Ada Lind born?".')
    notes = []
    strange = sorted({letter for letter in text if vocabulary.encode(letter) == [vocabulary.pad]})
    if strange:
        letters = " ".join(strange[:20]).encode("utf-8", "backslashreplace").decode()
        notes.append(f"never read before, and taken for blanks: {letters}")
    if answers_questions(run):
        ids = [*ids, vocabulary.mask]
        notes.append("⁇ stands after the text: where the run was trained to begin its answer")
    most = model.config.context - room
    if most < 1:
        raise InputError(f"the model looks back over {model.config.context} tokens; {room} of them cannot be kept free.")
    if len(ids) > most:
        free = f", {room} of them kept free for what it says" if room else ""
        told = f"the text has {len(ids)} tokens and the model sees {model.config.context}{free}"
        notes.append(f"{told}: the last {most} are looked at")
        ids = ids[-most:]
    names = token_names(vocabulary, ids)
    whole = vocabulary.joint.join(names)
    spans = [span for span in salient_spans(whole, OPENERS) if not whole[span[0]].isdigit()]
    return ReadText(text, tuple(ids), tuple(names), tuple(tokens_within(names, spans, vocabulary.joint)), tuple(notes))


def layers_of(model: GPT, ids: Sequence[int], tokens: Sequence[str]) -> tuple[LayerLook, ...]:
    """The attention of every layer on the path that trains."""
    return layers_from(model, recorded(model, ids), tokens)


def layers_from(model: GPT, calls: Sequence[Recorded], tokens: Sequence[str]) -> tuple[LayerLook, ...]:
    """What was recorded, with names for rows and columns; a perceiver's latents are called after the token they stand at."""
    return tuple(
        layer_look(str(number), call, *sides(model, number - 1, len(tokens)), tokens) for number, call in enumerate(calls, 1)
    )


def sides(model: GPT, layer: int, n: int) -> tuple[list[int], list[int], int]:
    """Where a layer's rows and columns stand in a text of n tokens, and how many of the columns are latents (-1: rows too)."""
    everywhere = list(range(n))
    if not isinstance(model, Perceiver):
        return everywhere, everywhere, 0
    ends = model.config.ends(n).tolist()
    if layer == 0:
        return ends, everywhere, -2
    if layer < model.config.layers - 1:
        return ends, ends, -1
    return everywhere, [*ends, *everywhere] if model.config.all_seeing else ends, len(ends)


def layer_look(
    name: str, call: Recorded, rows: list[int], columns: list[int], latents: int, tokens: Sequence[str]
) -> LayerLook:
    """One layer in plain arrays."""
    n_q, n_k = call.q.shape[-2], call.k.shape[-2]
    visible = table(call.mask, (n_q, n_k), torch.device("cpu")) if n_q else None
    of_latents = {-2: (len(rows), 0), -1: (len(rows), len(columns))}.get(latents, (0, latents))
    return LayerLook(
        name=name,
        rows=called(rows, of_latents[0], tokens),
        columns=called(columns, of_latents[1], tokens),
        weights=plain(call.weights()[0]) if n_q else np.zeros((call.q.shape[1], 0, len(columns)), dtype=np.float32),
        visible=None if visible is None else visible.reshape(-1, n_q, n_k)[0].cpu().numpy(),
        q=plain(call.q[0]),
        k=plain(call.k[0]),
        v=plain(call.v[0]),
        output=plain(call.output[0]),
        row_places=tuple(rows),
        column_places=tuple(columns),
    )


def called(places: Sequence[int], latents: int, tokens: Sequence[str]) -> tuple[str, ...]:
    """Tokens by their text; the first `latents` are latents, called after the token where each stands.

    >>> called([1, 0, 1], 1, ["a", "b"])
    ('latent at b', 'a', 'b')
    """
    return tuple(f"latent at {tokens[at].strip()}" if k < latents else tokens[at] for k, at in enumerate(places))


def plain(x: Tensor) -> Array:
    """A tensor as an array of float32."""
    return np.asarray(x.detach().to("cpu", torch.float32).numpy())
