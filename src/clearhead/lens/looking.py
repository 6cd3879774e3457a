"""`look`: a run, a Hugging Face folder or plain weights, and a text, to what was seen inside."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearhead.errors import InputError
from clearhead.lens.look import Look
from clearhead.lens.looks import Seen

if TYPE_CHECKING:
    from clearhead.training.folders.runs import Run

MOST_CONTROLS = 100


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What to look at, beside the attention itself."""

    without: tuple[str, ...] = ()  # parts left out: 2.5, 2, 2.attention, 2.feed-forward, memory
    temperature: float | None = None  # of the heads; None: as trained
    heads: tuple[str, ...] = ()  # which heads the temperature is for; none: all
    answer: str = ""  # the answer to watch; else what the model says
    write: int = 0  # tokens that the model writes after the text before it is looked at
    cache: bool = True  # whether it writes with a cache
    controls: int = 5  # blank models, and shuffled texts, that labels are held against; 0: none
    target: str = ""  # of a model with a decoder of its own: what it has said so far

    def __post_init__(self) -> None:
        if self.heads and self.temperature is None:
            raise InputError("heads are named for a temperature: say which, such as temperature 0.", "Add --temperature 0.")
        if self.write < 0 or not 0 <= self.controls <= MOST_CONTROLS:
            told = f"got {self.write} and {self.controls}"
            raise InputError(f"tokens to write must be 0 or more, and controls lie from 0 to {MOST_CONTROLS}; {told}.")

    def asked(self, *names: str) -> list[str]:
        """Those of some fields that are not as they are by themselves.

        >>> Wanted(temperature=0.0).asked("without", "temperature")
        ['temperature']
        """
        return [name for name in names if getattr(self, name) != type(self).__dataclass_fields__[name].default]


def look(source: Any, text: str | Sequence[Any] = "", **wanted: Any) -> Look:
    """What happens inside a model on a text.

    `source` is a run folder, an open run, a Hugging Face folder or model, or weights as they are: an array (heads, n, n),
    (layers, heads, n, n) or a list of one a layer, with the tokens as `text`. Everything else is a field of `Wanted`.

    >>> look([[[1.0, 0.0], [0.25, 0.75]]], ["hot", "day"]).measures["1.1"].itself
    0.75
    """
    unknown = [name for name in wanted if name not in Wanted.__dataclass_fields__]
    if unknown:
        raise InputError(f"look knows no {unknown[0]!r}; it takes {', '.join(Wanted.__dataclass_fields__)}.")
    for several in ("without", "heads"):
        if isinstance(wanted.get(several), str):
            wanted[several] = (wanted[several],)
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in wanted.items()}
    chosen = Wanted(**fields)
    if isinstance(source, str | Path):
        return Look.of(look_at_folder(Path(source), text, chosen))
    if hasattr(source, "recipe") and hasattr(source, "vocabulary"):
        return Look.of(look_at_run(source, require_text(text), chosen))
    if hasattr(source, "config") and hasattr(source, "forward"):
        from clearhead.lens.capture.hf_folder import look_at_model

        require_nothing_of_runs(chosen, "a Hugging Face model")
        return Look.of(look_at_model(source, None, text, chosen.target, controls=chosen.controls))
    from clearhead.lens.capture.plain_weights import look_at_weights

    require_nothing_of_runs(chosen, "weights alone")
    return Look.of(look_at_weights(source, text))


def look_at_folder(folder: Path, text: str | Sequence[Any], wanted: Wanted) -> Seen:
    """A run folder, or one in Hugging Face's form."""
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder; name a run folder, such as clearhead runs lists, or a Hugging Face folder.")
    if not (folder / "recipe.toml").exists() and (folder / "config.json").exists():
        from clearhead.lens.capture.hf_folder import look_at_hf_folder

        require_nothing_of_runs(wanted, "a Hugging Face folder")
        return look_at_hf_folder(folder, text, wanted.target, wanted.controls)
    from clearhead.training.folders.runs import trained
    from clearhead.training.machines.devices import on_device

    with on_device("cpu"):  # one text at a time, with every weight looked at: a GPU would only be sent back and forth to
        return look_at_run(trained(folder), require_text(text), wanted)


def require_nothing_of_runs(wanted: Wanted, what: str) -> None:
    """Refuse what only a run of ours can be asked for, instead of passing over it."""
    asked = wanted.asked("without", "temperature", "answer", "write")
    if asked:
        raise InputError(
            f"{asked[0]} is for runs of ours, not for {what}: nothing of it would be changed.",
            "A GPT-2's folder becomes a run with: clearhead import DIR --out RUN",
        )


def require_text(text: object) -> str:
    """A run reads text; tokens alone go with weights."""
    if not isinstance(text, str):
        raise InputError("a run reads a text: give one string; a list of tokens goes with weights as they are.")
    return text


def look_at_run(run: "Run", text: str, wanted: Wanted) -> Seen:
    """A run of ours: its attention, changed or not, the guesses on the way, the answer, and the controls of the labels."""
    from clearhead.lens.capture.generation import written_on
    from clearhead.lens.capture.run_look import answers_questions, attending_model, layers_from, layers_of, read_text
    from clearhead.lens.capture.token_names import token_names
    from clearhead.lens.causes.answer_chance import answer_room, watched_answer
    from clearhead.lens.causes.interventions import Change, changed
    from clearhead.lens.measures.control_looks import blank_looks, shuffled_looks
    from clearhead.lens.measures.guesses import guesses

    model, ends = attending_model(run), answers_questions(run)
    if wanted.target:
        raise InputError("a target is for a model with a decoder of its own; this run has one text only.")
    change = Change(wanted.without, wanted.temperature, wanted.heads)
    read = read_text(run, text, room=max(wanted.write, answer_room(model, ends)))
    watched = watched_answer(model, run.vocabulary, read.ids, ends, change, wanted.answer)
    ids, tokens = list(read.ids), list(read.tokens)
    with changed(model, change):
        if wanted.write:
            ids, calls = written_on(model, ids, wanted.write, run.vocabulary.mask if ends else -1, wanted.cache)
            tokens = token_names(run.vocabulary, ids)
            layers = layers_from(model, calls, tokens)
        else:
            layers = layers_of(model, ids, tokens)
        thoughts = guesses(model, run.vocabulary, ids)
    seen = Seen(
        source=str(run.folder),
        text=text,
        layers=layers,
        notes=read.notes,
        guesses=tuple(each.tree() for each in thoughts),
        answer=watched.tree(),
        names=read.names,
    )
    if not wanted.controls:
        return seen
    controls = {
        "blank": blank_looks(run, seen, ids, tokens, wanted.controls),
        "shuffled": shuffled_looks(run, seen, ids, tokens, change, wanted.controls),
    }
    return replace(seen, controls=controls)
