"""A one-layer decoder over tokens: embedding, causal attention, W_O, tied logits, probabilities, cross-entropy."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from clearhead.errors import InputError
from clearhead.exact.decimals import is_zero
from clearhead.exact.matrices import Matrix, size
from clearhead.exact.notation import named
from clearhead.working.fields import (
    did_you_mean,
    read_choice,
    read_matrix,
    read_names,
    read_temperature,
    read_vector,
    read_whole,
)
from clearhead.working.kinds.attentions.head_steps import head_steps, projection, width_of
from clearhead.working.kinds.attentions.inputs import BIASES, WEIGHTS, read_heads
from clearhead.working.kinds.attentions.options import AttentionSetting, mask_of, read_mask, read_scale
from clearhead.working.kinds.kind import Kind
from clearhead.working.observations import observe_maps
from clearhead.working.problem import Problem
from clearhead.working.rules.arrangements import Lookup
from clearhead.working.rules.losses import NegativeLog
from clearhead.working.rules.products import ProductTransposed
from clearhead.working.rules.shares import Softmax
from clearhead.working.steps import Labels, Plan, Step, Working

TEMPLATE = """\
kind = "decoder"
title = "A one-layer decoder that should say yes after no"

[given]                              # numbers may be written 3, -0.5 or "1/2"; decimals are exact
vocabulary = ["yes", "no", "stop"]   # names, in the order of E's rows
E   = [[1, 0], [0, 1], [0, 0]]       # the embedding, one row a name; also turns the result into logits
tokens = ["no", "yes", "stop"]       # the text, each a name of the vocabulary
answer = 2                           # the loss covers so many last tokens
W_Q = [[1, 0], [0, 1]]
W_K = [[0, 1], [1, 0]]
W_V = [[2, 0], [0, 2]]
W_O = [[0, 1], [1, 0]]               # optional where the values are already as wide as E
# b_Q = [0, 1]                       # optional biases, one number a column: b_Q, b_K, b_V, b_O
# heads = 2                          # split the columns of Q, K and V into so many heads; or, with matrices for each:
# heads = [{W_Q = ..., W_K = ..., W_V = ...}, ...]

[options]
predict = "next"                     # position t predicts token t + 1; "own": each token is read off its own position
scale = true                         # divide the scores by the root of d_k; a number multiplies them instead
mask = "causal"                      # or "none": everybody sees the future; or a table, 1 may look, 0 may not
temperature = 1                      # 0 is the limit: the largest takes all, ties share equally
# round = 2                          # round every step to so many decimals; without it all is exact
"""
LONGEST_SUM = 4  # terms of the loss that are written out in its formula


@dataclass(frozen=True, slots=True)
class DecoderText:
    """The tokens as rows of E, and which of them the loss covers."""

    tokens: Labels
    order: tuple[int, ...]  # the row of E of each token
    answer: int

    def places(self, predict: str) -> tuple[tuple[int, int], ...]:
        """Where in the probabilities each answer token is read: (position, token)."""
        back = 1 if predict == "next" else 0
        first = len(self.tokens) - self.answer
        return tuple((t - back, self.order[t]) for t in range(first, len(self.tokens)))

    def can(self, predict: str) -> bool:
        return predict == "own" or self.answer < len(self.tokens)


def plan(problem: Problem) -> Plan:
    vocabulary, e, text = read_text(problem)
    predict = problem.option("predict", "next")
    other = "own" if predict == "next" else "next"
    if not text.can(predict):
        raise InputError(
            f"given.answer is {text.answer}, but {len(text.tokens)} tokens have only {len(text.tokens) - 1} that an earlier "
            'one can predict; take a smaller answer, or predict = "own"'
        )
    lookup = Lookup(text.order)
    x = lookup(e)
    setting = AttentionSetting(
        scale=problem.option("scale", True),
        mask=mask_of(problem.option("mask", "causal"), None, len(text.tokens), len(text.tokens)),
        temperature=problem.option("temperature", Fraction(1)),
        queries="X",
        keys="X",
        query_labels=text.tokens,
        key_labels=text.tokens,
        output="Z",
    )
    givens, steps, maps = head_steps(problem, setting, x, x)
    del givens["X"]  # X is a step here: looked up in E
    width = width_of(givens)
    if "W_O" in problem.given:
        givens |= {name: problem.given[name] for name in ("W_O", "b_O") if name in problem.given}
        steps.append(projection(problem.given, steps[-1], text.tokens, width, "R"))
        width = givens["W_O"].shape[1]
    require_tied(problem, width, e)
    steps = [looked_up(lookup, text), *steps, *scoring(steps[-1].name, vocabulary, text, predict)]
    return Plan(
        kind="decoder",
        title=problem.title,
        given={"E": e, **givens},
        steps=tuple(steps),
        answer=("loss",),
        maps=tuple(maps),
        labels={"E": (vocabulary, ())},
        observe=observing(text, predict, setting.temperature),
        marks=problem.marks,
        conventions={"loss": (other, NegativeLog(text.places(other)))} if text.can(other) else {},
    )


def read_text(problem: Problem) -> tuple[Labels, Matrix, DecoderText]:
    vocabulary, e, tokens, answer = problem.require("vocabulary", "E", "tokens", "answer")
    repeated = next((name for i, name in enumerate(vocabulary) if name in vocabulary[:i]), None)
    if repeated is not None:
        raise InputError(f"given.vocabulary must name each row of E once, but has {repeated!r} twice")
    if len(vocabulary) != e.shape[0]:
        raise InputError(f"given.vocabulary has {len(vocabulary)} names and E has {e.shape[0]} rows; each name needs one row")
    for token in tokens:
        if token not in vocabulary:
            raise InputError(f"given.tokens: {token[:40]!r} is not in the vocabulary{did_you_mean(token, vocabulary)}")
    if answer > len(tokens):
        raise InputError(f"given.answer is {answer}, but there are only {len(tokens)} tokens")
    return vocabulary, e, DecoderText(tokens, tuple(vocabulary.index(token) for token in tokens), answer)


def require_tied(problem: Problem, width: int, e: Matrix) -> None:
    """The logits multiply by Eᵀ, so what comes before must be as wide as E."""
    if width == e.shape[1]:
        return
    if "W_O" in problem.given:
        raise InputError(f"W_O is {size(problem.given['W_O'])} and E is {size(e)}: W_O needs as many columns as E")
    raise InputError(
        f"given.W_O is missing: the values have {width} columns and E has {e.shape[1]}, so a {width}×{e.shape[1]} W_O is needed"
    )


def looked_up(lookup: Lookup, text: DecoderText) -> Step:
    rows = [row + 1 for row in text.order]
    return Step(
        name="X",
        formula=f"rows {', '.join(map(str, rows))} of E",
        latex="[" + r";\ ".join(f"E_{{{row}}}" for row in rows) + "]",
        why="Each token is looked up in the embedding E: its row there stands for it.",
        needs=("E",),
        rule=lookup,
        rows=text.tokens,
    )


def scoring(source: str, vocabulary: Labels, text: DecoderText, predict: str) -> list[Step]:
    """Logits, probabilities and the loss."""
    logits = Step(
        name="logits",
        formula=f"{source} E^T",
        latex=rf"{named(source)}\, E^\top",
        symbol=named("logits"),
        why="Each row is compared with the embedding of every name: the same E that read the tokens now scores them.",
        needs=(source, "E"),
        rule=ProductTransposed(),
        rows=text.tokens,
        columns=vocabulary,
    )
    probabilities = Step(
        name="probabilities",
        formula="softmax(logits)",
        latex=r"\mathrm{softmax}(\mathrm{logits})",
        symbol=named("probabilities"),
        why="The softmax of each row turns logits into probabilities of the names.",
        needs=("logits",),
        rule=Softmax(),
        rows=text.tokens,
        columns=vocabulary,
    )
    places = text.places(predict)
    whose = "the position before it" if predict == "next" else "its own position"
    loss = Step(
        name="loss",
        formula=loss_formula(places, vocabulary),
        latex=loss_latex(places),
        symbol=named("loss"),
        why=f"The loss adds up -ln of the probability of each answer token, read off {whose}.",
        needs=("probabilities",),
        rule=NegativeLog(places),
    )
    return [logits, probabilities, loss]


def loss_formula(places: tuple[tuple[int, int], ...], vocabulary: Labels) -> str:
    """
    >>> loss_formula(((3, 0), (4, 1)), ("A", "B"))
    '-ln p4(A) - ln p5(B)'
    """
    if len(places) > LONGEST_SUM:
        return f"-Σ ln p_t(token) over positions {places[0][0] + 1} to {places[-1][0] + 1}"
    return "-" + " - ".join(f"ln p{row + 1}({vocabulary[column]})" for row, column in places)


def loss_latex(places: tuple[tuple[int, int], ...]) -> str:
    if len(places) > LONGEST_SUM:
        return rf"-\sum_{{t={places[0][0] + 1}}}^{{{places[-1][0] + 1}}} \ln p_t"
    return "-" + " - ".join(rf"\ln p_{{{row + 1},{column + 1}}}" for row, column in places)


def observing(text: DecoderText, predict: str, temperature: Fraction) -> Callable[[Working], list[str]]:
    def observe(working: Working) -> list[str]:
        said = [*observe_maps(working), convention(working, text, predict), *vanished(working, text, predict)]
        if temperature == 0:
            said.append(
                "At temperature 0 the weights are an argmax, and no gradient passes it: W_Q and W_K cannot learn, "
                "while all that comes after the weights, W_V too, can."
            )
        return said

    return observe


def convention(working: Working, text: DecoderText, predict: str) -> str:
    """Which token each position was taken to predict, and what the other convention would give."""
    loss, last = working.said(working.values["loss"].cell), len(text.tokens)
    first = last - text.answer + 1
    span = f"tokens {first} to {last} are" if text.answer > 1 else f"token {last} is"
    other = "own" if predict == "next" else "next"
    reading = {
        "next": f'predict = "next": position t predicts token t + 1, so {span} read off the position before',
        "own": f'predict = "own": {span} read off {"their" if text.answer > 1 else "its"} own position',
    }
    if not text.can(other):
        return f'{reading[predict]}: loss {loss}. predict = "next" is not possible, since nothing comes before token 1.'
    otherwise = NegativeLog(text.places(other))(working.values["probabilities"]).map(working.policy.settle).cell
    return f'{reading[predict]}: loss {loss}. With predict = "{other}" it would be {working.said(otherwise)}.'


def vanished(working: Working, text: DecoderText, predict: str) -> list[str]:
    """Probabilities that rounding took to 0: their logarithm makes the loss infinite."""
    table = working.values["probabilities"]
    answers = zip(text.places(predict), text.tokens[-text.answer :], strict=True)
    return [
        f"The probability of {token} at position {place[0] + 1} is {working.said(table[place])} as rounded, and -ln 0 is "
        "infinite: so is the loss. Keep more decimals to see its size."
        for place, token in answers
        if is_zero(table[place])
    ]


KIND = Kind(
    given={
        "vocabulary": read_names,
        "E": read_matrix,
        "tokens": read_names,
        "answer": read_whole(1, 1000),
        **WEIGHTS,
        **BIASES,
        "W_O": read_matrix,
        "b_O": read_vector,
        "heads": read_heads,
    },
    options={
        "predict": read_choice("next", "own"),
        "scale": read_scale,
        "mask": read_mask,
        "temperature": read_temperature,
    },
    template=TEMPLATE,
    plan=plan,
)
