"""Source text and one input shape -> the rows of the table, what the net weighs, and where it breaks."""

from dataclasses import dataclass, field, replace
from typing import Any

from clearhead.errors import InputError
from clearhead.layers.interpreter.calls import apply, call
from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Row, Run, Scope
from clearhead.layers.interpreter.net_choice import Candidate, choose
from clearhead.layers.net_input import Input
from clearhead.layers.source.syntax_tree import parse
from clearhead.layers.values.axis_sizes import product, show_shape
from clearhead.layers.values.net_parts import Container, Instance, Layer, UserFunction, named_parts
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown, WrongInput
from clearhead.layers.values.tensors import Parameter, Tensor


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
