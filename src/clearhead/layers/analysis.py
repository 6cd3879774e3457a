"""Source text and input shapes -> the rows of the table, what the net weighs, and where it breaks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from clearhead.errors import InputError
from clearhead.layers.attempts import Attempt, best_attempt
from clearhead.layers.interpreter.calls import call
from clearhead.layers.interpreter.interpreter_state import Broken, Row, Scope, SourceRun
from clearhead.layers.interpreter.nets.net_candidates import Candidate
from clearhead.layers.interpreter.nets.net_choice import choose
from clearhead.layers.net_input import Input
from clearhead.layers.source.syntax_tree import parse
from clearhead.layers.values.axis_sizes import product, show_shape
from clearhead.layers.values.net_parts import Container, Instance, Layer, held_by, named_parts
from clearhead.layers.values.refusals import Unknown
from clearhead.layers.values.tensors import Parameter

MOST_TRIED = 12  # nets of one file that are tried on the input


@dataclass(slots=True)
class Analysis:
    """All that the table, the repairs and the picture are made from."""

    text: str
    net: Candidate
    others: list[Candidate]
    inputs: tuple[Input, ...]
    rows: list[Row] = field(default_factory=list)
    unused: list[Layer] = field(default_factory=list)
    paths: dict[int, str] = field(default_factory=dict)
    weights: int | None = None
    at_least: int = 0
    counted: dict[int, int] = field(default_factory=dict)  # the weights of each layer, tied ones counted once
    parameters: list[tuple[str, Parameter]] = field(default_factory=list)
    broken: Broken | None = None
    unknown: Unknown | None = None
    unknowns: list[Unknown] = field(default_factory=list)
    progress: int = 0
    notes: list[str] = field(default_factory=list)
    output: Any = None

    @property
    def input(self) -> Input:
        """The first input."""
        return self.inputs[0]


def analyse(text: str, wanted: Input | Sequence[Input], net: str | None = None, title: str = "the source") -> Analysis:
    """Read a source as data and put the input through its net; nothing is imported or run."""
    given = (wanted,) if isinstance(wanted, Input) else tuple(wanted)
    tree = parse(text, title)
    run = SourceRun(call)
    scope = Scope(run, {"__name__": "__main__"}, is_file=True)
    try:
        candidates = choose(tree, scope, net, title, len(given))
        found, refused = list[Analysis](), list[InputError]()
        for each in candidates[: 1 if net is not None else MOST_TRIED]:
            try:
                found.append(analyse_one(text, each, given, run, scope))
            except InputError as error:  # its forward takes other inputs
                refused.append(error)
            if found and is_settled(found[-1]):
                break
        if not found:
            raise refused[0]
    except RecursionError:
        line, column = run.where
        raise InputError(f"{title}, line {line}, column {column}: nested too deeply to be followed.") from None
    chosen = next((each for each in found if is_settled(each)), None) or max(found, key=lambda each: len(each.rows))
    chosen.others = [each for each in candidates if each is not chosen.net]
    return chosen


def is_settled(analysis: Analysis) -> bool:
    """Whether the input goes through the net to its end, or the net breaks while it is made, whatever the input."""
    return (analysis.broken is None and analysis.unknown is None and bool(analysis.rows)) or analysis.net.broken is not None


def analyse_one(text: str, net: Candidate, given: tuple[Input, ...], run: SourceRun, scope: Scope) -> Analysis:
    """Put the input through one net of the file."""
    analysis = Analysis(text, net, [], given)
    made = run.progress
    if net.unknown is not None:
        analysis.unknown = net.unknown
    elif net.module is not None:
        attempt = best_attempt(net, given, run, scope)
        take(analysis, attempt)
    if net.broken is not None:  # torch breaks while the net is made, before any tensor goes through
        analysis.broken, analysis.unknown, analysis.progress = net.broken, None, made
    if net.module is not None:
        weigh(analysis)
    return analysis


def take(analysis: Analysis, attempt: Attempt) -> None:
    analysis.inputs, analysis.rows, analysis.progress = attempt.inputs, attempt.rows, attempt.progress
    analysis.broken, analysis.unknown, analysis.unknowns = attempt.broken, attempt.unknown, attempt.unknowns
    analysis.notes += attempt.notes
    analysis.output = attempt.output


def weigh(analysis: Analysis) -> None:
    """Count every trainable number of the net once, used or not; what may hide makes the count an "at least"."""
    total, open_end, seen = 0, False, set[int]()
    used = {id(row.layer) for row in analysis.rows if row.layer is not None}
    parts = named_parts(analysis.net.module)
    inside = {id(part) for _, part in parts.values() for part in (part.held.values() if isinstance(part, Layer) else ())}
    for path, part in parts.values():
        analysis.paths[id(part)] = path
        hidden = first_hidden(part)
        if hidden is not None and not open_end:
            analysis.notes.append(f"what the net weighs is not known whole, because {hidden.why}")
        open_end = open_end or hidden is not None
        if isinstance(part, Parameter) and id(part) not in inside:
            analysis.parameters.append((path, part))
        if isinstance(part, Layer):
            analysis.counted[id(part)] = own_weights(part, seen)
            total += analysis.counted[id(part)]
            open_end = open_end or part.weights is None
            if id(part) not in used and analysis.broken is None:
                analysis.unused.append(part)
    for _, part in analysis.parameters:
        total += 0 if id(part) in seen else product(part.tensor.shape)
        seen.add(id(part))
    analysis.weights, analysis.at_least = None if open_end else total, total


def own_weights(layer: Layer, seen: set[int]) -> int:
    """The trainable numbers of one layer that no layer before it holds too."""
    if not layer.held:  # a law that does not say the shapes of its parameters says how many numbers they are
        return 0 if layer.weights is None else layer.weights.count
    count = 0
    for each in layer.held.values():
        if isinstance(each, Parameter) and id(each) not in seen:
            seen.add(id(each))
            count += product(each.tensor.shape)
    return count


WITHOUT_WEIGHTS = (
    "`torch.optim.",
    "`torch.utils.",
    "`torchvision.transforms.",
)  # what is not followed there is no part of a net


def first_hidden(part: Any) -> Unknown | None:
    """Something not known that a module holds: it may have weights."""
    if isinstance(part, Instance) and part.unknown is not None:
        return part.unknown
    if isinstance(part, Layer) and part.unknown:
        return Unknown(part.unknown, part.line)
    held = held_by(part) if isinstance(part, (Instance, Container)) else {}
    unknown = (value for value in held.values() if isinstance(value, Unknown))
    return next((value for value in unknown if not value.why.startswith(WITHOUT_WEIGHTS)), None)


def shown_inputs(analysis: Analysis) -> str:
    """The inputs as a person reads them."""
    shapes = [f"{each.name + ' ' if each.name else ''}{show_shape(each.shape)}" for each in analysis.inputs]
    return ", ".join(shapes)


def net_calls(text: str) -> list[str]:
    """The calls that make the nets of a source, the likeliest first, as far as reading tells; never refuses."""
    run = SourceRun(call)
    scope = Scope(run, {"__name__": "__main__"}, is_file=True)
    try:
        candidates = choose(parse(text, "the source"), scope, None, "the source", 1)
    except (InputError, RecursionError):
        return []
    found = [each.call or (each.name if each.name.isidentifier() else "") for each in candidates]
    return list(dict.fromkeys(each for each in found if each))
