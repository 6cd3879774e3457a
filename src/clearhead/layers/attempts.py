"""One net, one input: where the batch axis stands, whether numbers are token ids, tried until the net takes it."""

import ast
from dataclasses import dataclass, field, replace
from typing import Any

from clearhead.errors import InputError
from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Row, Scope, SourceRun
from clearhead.layers.interpreter.nets.net_candidates import Candidate
from clearhead.layers.interpreter.torch.module_calls import apply
from clearhead.layers.net_input import Input, as_they_stand, with_batch_in_front
from clearhead.layers.values.axis_sizes import BATCH, show_shape
from clearhead.layers.values.net_parts import Instance, UserFunction
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown, WrongInput
from clearhead.layers.values.tensors import Tensor

EARLY = 3  # a break after so few rows may be about how the input was written


@dataclass(slots=True)
class Attempt:
    """What came of putting inputs through a net once."""

    inputs: tuple[Input, ...]
    rows: list[Row] = field(default_factory=list)
    broken: Broken | None = None
    unknown: Unknown | None = None
    unknowns: list[Unknown] = field(default_factory=list)
    progress: int = 0
    notes: list[str] = field(default_factory=list)
    output: Any = None

    @property
    def runs(self) -> bool:
        return self.broken is None and self.unknown is None


def best_attempt(net: Candidate, given: tuple[Input, ...], run: SourceRun, scope: Scope) -> Attempt:
    """The input with a batch axis in front; where that breaks at once, as it may have been meant otherwise."""
    first = put_through(net, given, run, scope)
    if first.broken is None or net.broken is not None:
        return first
    others: list[tuple[tuple[Input, ...] | None, str]] = []
    if len(first.rows) < EARLY:
        others.append((with_batch_in_front(given), "the first size of --input is read as the batch axis"))
    sizes = batch_sizes(scope) if BATCH in given[0].shape and "N" in first.broken.why else []
    for size in sizes:
        concrete = tuple(replace(each, batch=size) for each in given)
        others.append((concrete, f"the source is written for a batch of {size}, and is read with that"))
    if len(first.rows) < EARLY:
        others.append((as_they_stand(given), "--input is read as it stands, without a batch axis"))
    for inputs, note in others:
        if inputs is None:
            continue
        attempt = put_through(net, inputs, run, scope)
        if attempt.runs or (attempt.broken is None and attempt.rows and len(attempt.rows) > len(first.rows) + EARLY):
            attempt.notes.insert(0, note)
            return attempt
    return first


def batch_sizes(scope: Scope) -> list[int]:
    """Whole numbers that the file calls a batch size."""
    found = [value for name, value in scope.names.items() if "batch" in name.lower() and isinstance(value, int)]
    for value in scope.names.values():
        if isinstance(value, Instance):
            found += [each for name, each in value.attributes.items() if "batch" in name.lower() and isinstance(each, int)]
    return list(dict.fromkeys(each for each in found if 0 < each < 100_000))[:3]


def put_through(net: Candidate, given: tuple[Input, ...], run: SourceRun, scope: Scope) -> Attempt:
    """Put the input through the net; set the input up anew where the first layers want it otherwise."""
    attempt, fresh, made, steps = Attempt(given), True, run.progress, run.steps
    for _ in range(3 + len(given)):
        run.rows, run.unknowns, run.frames, run.progress, run.recording = [], [], [], made, True
        run.steps = min(steps, run.most_steps // 2)
        try:
            tensors = [replace(each.tensor(), fresh=fresh) for each in attempt.inputs]
            attempt.broken = attempt.unknown = None
            follow(attempt, net, tensors, run, scope)
            break
        except WrongInput as wrong:
            said = any(each.place is not None or len(each.sizes) < 2 or each.batch is None for each in attempt.inputs)
            if "place" in wrong.settings and said:  # the person said where the batch axis stands: take it so
                fresh = False
                continue
            attempt.inputs = set_up_anew(attempt, wrong)
    run.recording = False
    attempt.rows, attempt.progress, attempt.unknowns = run.rows, run.progress, list(run.unknowns)
    run.progress = made
    return attempt


def set_up_anew(attempt: Attempt, wrong: WrongInput) -> tuple[Input, ...]:
    """The inputs as a layer wants them: as token ids, or with N second."""
    origin = wrong.settings.get("origin", "")
    if "whole" in wrong.settings:
        which = f" {origin}" if origin not in ("", "input") else ""
        attempt.notes.append(f"the input{which} is read as whole numbers (token ids), because an embedding takes it")
        return tuple(
            replace(each, whole=True) if (each.name or "input") == origin or not origin else each for each in attempt.inputs
        )
    moved = tuple(replace(each, place=1) if len(each.sizes) > 1 else each for each in attempt.inputs)
    attempt.notes.append(f"N stands second, {show_shape(moved[0].shape)}: a layer without batch_first takes the input")
    return moved


def follow(attempt: Attempt, net: Candidate, tensors: list[Tensor], run: SourceRun, scope: Scope) -> None:
    """Put the input through once; a break or something not known is written down."""
    module = net.module
    values, named = arguments_for(module, attempt.inputs, tensors)
    try:
        output = apply(module, values, named, None, scope)
        attempt.output = output
        if isinstance(output, Unknown):
            attempt.unknown = output
    except Broken as broken:
        attempt.broken = broken
    except Refusal as refusal:
        attempt.broken = Broken(net.node, refusal)
    except Halt as halt:
        attempt.unknown = halt.unknown
    except NotKnown as reason:
        attempt.unknown = Unknown(reason.why, reason.line)
    except (AttributeError, TypeError, ValueError, IndexError, KeyError) as error:
        attempt.unknown = Unknown(f"line {run.where[0]} is not followed ({type(error).__name__})", run.where[0])
    unknowns = [row.output for row in run.rows if isinstance(row.output, Unknown)]
    if unknowns:
        attempt.unknown = unknowns[0]
        if attempt.broken is not None and attempt.rows:
            attempt.broken = None
    if run.unknowns and attempt.unknown is None and attempt.broken is None:
        attempt.unknown = run.unknowns[0]


def arguments_for(module: Any, inputs: tuple[Input, ...], tensors: list[Tensor]) -> tuple[list[Any], dict[str, Any]]:
    """Which tensor goes where: named ones by name, the others in order. Refuses where forward needs more."""
    values = [tensor for each, tensor in zip(inputs, tensors, strict=True) if not each.name]
    named = {each.name: tensor for each, tensor in zip(inputs, tensors, strict=True) if each.name}
    names, needed = forward_names(module)
    if names is not None:
        wrong = [name for name in named if name not in names]
        if wrong and "**" not in names:
            taken = ", ".join(name for name in names if not name.startswith("*"))
            raise InputError(f"--input names {', '.join(wrong)}, and forward takes {taken}.")
    missing = [name for name in needed[len(values) :] if name not in named]
    if missing:
        example = " ".join(f"--input {name}=…" for name in needed)
        raise InputError(f"forward takes {', '.join(needed)}, and --input gives {len(tensors)}; write {example}")
    return values, named


def forward_names(module: Any) -> tuple[list[str] | None, list[str]]:
    """The inputs that a net's forward takes, and those that it cannot do without."""
    found = module.cls.find("forward") if isinstance(module, Instance) else None
    if not found or not isinstance(found[0], UserFunction):
        return None, []
    given: ast.arguments = found[0].node.args
    positional = [each.arg for each in (*given.posonlyargs, *given.args)][1:]
    needed = [name for name in positional if name not in found[0].defaults]
    needed += [each.arg for each in given.kwonlyargs if each.arg not in found[0].defaults]
    more = ["**"] if given.kwarg else []
    return [*positional, *(each.arg for each in given.kwonlyargs), *more], needed
