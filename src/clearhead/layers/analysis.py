"""Source text and one input shape -> the rows of the table, what the net weighs, and where it breaks."""

from dataclasses import dataclass, field, replace
from typing import Any

from clearhead.errors import InputError
from clearhead.layers.calls import apply, call
from clearhead.layers.choosing import Candidate, choose
from clearhead.layers.modules import Container, Instance, Layer, UserFunction, named_parts
from clearhead.layers.scope import Broken, Halt, Row, Run, Scope
from clearhead.layers.sizes import BATCH, product, show_shape
from clearhead.layers.source import parse
from clearhead.layers.values import NotKnown, Parameter, Refusal, Tensor, Unknown, WrongInput, row_major

LARGEST_SIZE = 2**31


@dataclass(frozen=True, slots=True)
class Input:
    """The shape of one example; `place` is where the batch axis stands, if the person said so."""

    sizes: tuple[int, ...]
    place: int | None = None
    whole: bool = False

    def tensor(self) -> Tensor:
        at = self.place or 0
        shape = (*self.sizes[:at], BATCH, *self.sizes[at:])
        return Tensor(shape, self.whole, row_major(shape), fresh=True, raw=True)


def read_input(text: str) -> Input:
    """`1x32x32`, or `7xNx5` where the batch axis is not in front.

    >>> read_input("1x32x32").sizes, read_input("7xNx5").place
    ((1, 32, 32), 1)
    """
    words = text.strip().replace("×", "x").replace("X", "x").replace("n", "N").split("x")
    numbers = [word for word in words if word != "N"]
    hint = "Write one example, as in --input 1x32x32 (channels, height, width); a batch axis N is put in front."
    if words.count("N") > 1 or not all(word.isascii() and word.isdigit() for word in numbers):
        raise InputError(f"--input must be whole numbers with x between them, and is {text!r}. {hint}")
    sizes = tuple(int(word) for word in numbers if len(word) < 12)
    if len(sizes) != len(numbers) or any(not 1 <= size < LARGEST_SIZE for size in sizes):
        raise InputError(f"--input must hold sizes from 1 to {LARGEST_SIZE - 1:,}, and is {text!r}. {hint}")
    return Input(sizes, words.index("N") if "N" in words else None)


@dataclass(slots=True)
class Analysis:
    """All that the table, the repairs and the picture are made from."""

    text: str
    net: Candidate
    others: list[Candidate]
    input: Input
    rows: list[Row] = field(default_factory=list)
    unused: list[Layer] = field(default_factory=list)
    paths: dict[int, str] = field(default_factory=dict)
    weights: int | None = None
    parameters: list[tuple[str, Parameter]] = field(default_factory=list)
    broken: Broken | None = None
    unknown: Unknown | None = None
    progress: int = 0
    notes: list[str] = field(default_factory=list)


def analyse(text: str, wanted: Input, net: str | None = None, title: str = "the source") -> Analysis:
    """Read a source as data and put one input through its net; nothing is imported or run."""
    tree = parse(text, title)
    run = Run(call)
    scope = Scope(run, {"__name__": "__main__"}, is_file=True)
    try:
        chosen, others = choose(tree, scope, net, title)
        analysis = Analysis(text, chosen, others, wanted)
        if chosen.unknown is not None:
            analysis.unknown = chosen.unknown
            return analysis
        made = run.progress
        if chosen.module is not None:
            put_through(analysis, run, scope)
        if chosen.broken is not None:  # torch breaks while the net is made, before any tensor goes through
            analysis.broken, analysis.unknown, analysis.progress = chosen.broken, None, made
    except RecursionError:
        line, column = run.where
        raise InputError(f"{title}, line {line}, column {column}: nested too deeply to be followed.") from None
    if chosen.module is not None:
        weigh(analysis)
    return analysis


def put_through(analysis: Analysis, run: Run, scope: Scope) -> None:
    """Put the input through the net; set the input up anew where the first layers want it otherwise."""
    made, fresh = run.progress, True
    for _ in range(4):
        run.rows, run.steps, run.depth, run.progress, run.recording = [], 0, 0, made, True
        try:
            follow(analysis, run, scope, replace(analysis.input.tensor(), fresh=fresh))
            break
        except WrongInput as wrong:
            said = analysis.input.place is not None or len(analysis.input.sizes) < 2
            if "place" in wrong.settings and said:  # the person said where the batch axis stands: take it so
                fresh = False
                continue
            analysis.input = replace(analysis.input, **wrong.settings)
            note(analysis, wrong)
    analysis.rows, analysis.progress = run.rows, run.progress


def note(analysis: Analysis, wrong: WrongInput) -> None:
    if "whole" in wrong.settings:
        analysis.notes.append("the input is read as whole numbers (token ids), because an embedding takes it")
    if wrong.settings.get("place"):
        shape = show_shape(analysis.input.tensor().shape)
        analysis.notes.append(f"N stands second, {shape}: a layer without batch_first takes the input")


def follow(analysis: Analysis, run: Run, scope: Scope, given: Tensor) -> None:
    """Put the input through once; a break or something not known is written down."""
    module = analysis.net.module
    needs = inputs_needed(module)
    if len(needs) > 1:
        line = module.cls.node.lineno
        analysis.unknown = Unknown(f"forward takes {', '.join(needs)}, and --input gives one tensor", line)
        return
    try:
        output = apply(module, [given], {}, None, scope)
        if isinstance(output, Unknown):
            analysis.unknown = output
    except Broken as broken:
        analysis.broken = broken
    except Refusal as refusal:
        analysis.broken = Broken(analysis.net.node, refusal)
    except Halt as halt:
        analysis.unknown = halt.unknown
    except NotKnown as reason:
        analysis.unknown = Unknown(reason.why, reason.line)
    unknowns = [row.output for row in run.rows if isinstance(row.output, Unknown)]
    if unknowns:
        analysis.unknown = unknowns[0]


def inputs_needed(module: Any) -> list[str]:
    """The inputs that a net's forward cannot do without."""
    found = module.cls.find("forward") if isinstance(module, Instance) else None
    if not found or not isinstance(found[0], UserFunction):
        return []
    given = found[0].node.args
    positional = [each.arg for each in (*given.posonlyargs, *given.args)][1:]
    optional = len(given.defaults)
    needed = positional[: len(positional) - optional] if optional else positional
    return needed + [each.arg for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is None]


def weigh(analysis: Analysis) -> None:
    """Count every trainable number of the net once, used or not."""
    total: int | None = 0
    used = {id(row.layer) for row in analysis.rows if row.layer is not None}
    for path, part in named_parts(analysis.net.module).values():
        analysis.paths[id(part)] = path
        hidden = first_hidden(part)
        if hidden is not None:
            total = None
            analysis.notes.append(f"what the net weighs is not known, because {hidden.why}")
        if isinstance(part, Parameter):
            analysis.parameters.append((path, part))
            total = None if total is None else total + product(part.tensor.shape)
        if not isinstance(part, Layer):
            continue
        total = None if total is None or part.weights is None else total + part.weights.count
        if id(part) not in used and analysis.broken is None:
            analysis.unused.append(part)
    analysis.weights = total


def first_hidden(part: Any) -> Unknown | None:
    """Something not known that a module holds: it may have weights."""
    held = part.attributes if isinstance(part, Instance) else part.parts if isinstance(part, Container) else {}
    return next((value for value in held.values() if isinstance(value, Unknown)), None)
