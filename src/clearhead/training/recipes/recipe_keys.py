"""Settings such as `training.rate=0.001`, put into the tree of a recipe."""

import tomllib
from collections.abc import Callable, Sequence
from typing import Any

from clearhead.errors import InputError

Tree = dict[str, Any]
STAGES = ("pretrain", "finetune", "without")


def set_keys(tree: Tree, settings: Sequence[str], note: Callable[[str], None] = lambda text: None) -> Tree:
    """The tree with settings put in, the later ones over the earlier; what stands right of = is read as TOML, else as text.

    Tokens and epochs are two ways to say how long: the one that is said last holds, and it is told that the other does not.
    No epochs at all (epochs=0) leave the tokens to say it.
    """
    for setting in settings:
        path, value = parted(setting)
        put(tree, path, value, setting)
        if (path[-1] == "epochs" and value != 0) or path[-2:] == ["training", "tokens"]:
            only_one_length(tree, path, setting, note)
    return tree


def parted(setting: str) -> tuple[list[str], Any]:
    """The keys on the way, and the value."""
    path, equals, text = setting.partition("=")
    if not equals or not all(part.strip() for part in path.split(".")):
        raise InputError(f"a setting is key=value, such as training.rate=0.001; got {setting!r}.")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        value = text.strip()
    return [part.strip() for part in path.split(".")], value


def put(tree: Tree, path: Sequence[str], value: Any, setting: str) -> None:
    """Put one value into its place."""
    *tables, key = path
    inside: Any = tree
    for table in tables:
        inside = entry(inside, table, setting)
        if not isinstance(inside, dict | list):
            raise InputError(f"the setting {setting!r}: {table!r} is not a table of the recipe.")
    if not isinstance(inside, dict):
        raise InputError(f"the setting {setting!r}: name one of the list by its number, such as objectives.0.share=0.5.")
    inside[key] = value


def entry(inside: Any, name: str, setting: str) -> Any:
    """The table, or the member of a list, of a name."""
    if not isinstance(inside, list):
        return inside.setdefault(name, {})
    if not (name.isascii() and name.isdigit()) or len(name) > 9 or int(name) >= len(inside):
        numbers = f"the numbers 0 to {len(inside) - 1}" if len(inside) > 1 else "the number 0"
        raise InputError(f"the setting {setting!r}: this list has {numbers}; got {name!r}.")
    return inside[int(name)]


def only_one_length(tree: Tree, path: Sequence[str], setting: str, note: Callable[[str], None]) -> None:
    """Take out the length that was said before, in the same part of the recipe."""
    stage = path[0] if path[0] in STAGES else ""
    part = tree[stage] if stage else tree
    training = part.get("training")
    if path[-1] == "epochs":
        said = training.pop("tokens", None) if isinstance(training, dict) else None
        other = None if said is None else f"training.tokens={said}"
    else:
        said = part.pop("epochs", None)
        other = None if not said else f"epochs={said}"
    if other is not None:
        note(f"{setting} holds, and not {f'{stage}.' if stage else ''}{other}")


def of_stage(settings: Sequence[str], stage: str) -> tuple[list[str], list[str]]:
    """The settings that are for one stage of a recipe, and those that are for whichever stage is trained."""
    named = [each for each in settings if each.partition(".")[0].strip() == stage and "." in each.partition("=")[0]]
    others = [each for each in settings if each.partition(".")[0].strip() not in STAGES]
    return named, others
