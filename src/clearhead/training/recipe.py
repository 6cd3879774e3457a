"""A recipe: everything needed to start a run again, as one TOML file."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from clearhead.corpora.vocabularies.vocabulary_config import VocabularyConfig
from clearhead.errors import ConfigError, InputError
from clearhead.saving import write_whole
from clearhead.training.config import TrainConfig
from clearhead.training.corpus_of_recipe import TextConfig
from clearhead.training.objectives import Objective
from clearhead.training.toml import written

Config = TypeVar("Config")
SHIPPED = files("clearhead") / "recipes"


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """One run: which corpus, which model, what to learn, how."""

    name: str
    variant: str = "vanilla"
    seed: int = 0
    corpus: str = "world"  # a folder with the course's file names, a kept corpus, or the built-in world
    start: str = ""  # a run folder, seen from this one, to take vocabulary and weights from; empty: a blank model
    epochs: float = 0.0  # passes over the first objective; written into training.tokens when the run starts
    vectors: str = ""  # a file of word vectors that the model's own start from
    text: TextConfig = field(default_factory=TextConfig)
    vocabulary: VocabularyConfig = field(default_factory=VocabularyConfig)
    model: dict[str, Any] = field(default_factory=dict)  # `kind`, then what its config takes; `vocab` is filled in
    objectives: tuple[Objective, ...] = ()
    training: TrainConfig = field(default_factory=lambda: TrainConfig(tokens=1))

    def __post_init__(self) -> None:
        if not self.objectives:
            raise ConfigError(f"recipe {self.name!r} names nothing to learn; add at least one [[objectives]].")

    def with_tokens(self, tokens: int) -> "Recipe":
        """The same recipe for another length."""
        return replace(self, epochs=0.0, training=replace(self.training, tokens=tokens))


def shipped_recipes() -> list[str]:
    """The names of the recipes that come with the package."""
    return sorted(entry.name.removesuffix(".toml") for entry in SHIPPED.iterdir() if entry.name.endswith(".toml"))


def recipe_tree(name: str) -> dict[str, Any]:
    """The tree of a shipped recipe, or of a recipe file."""
    shipped = SHIPPED / f"{name}.toml"
    if shipped.is_file():
        return parsed(shipped.read_text(encoding="utf-8"), f"recipe {name}")
    path = Path(name)
    if not path.is_file():
        raise InputError(f"{name}: neither a recipe file nor a shipped recipe ({', '.join(shipped_recipes())}).")
    return parsed(path.read_text(encoding="utf-8"), name)


def parsed(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where}: this is not TOML: {error}.") from error


def read_recipe(path: Path) -> Recipe:
    """Read a recipe file."""
    try:
        return recipe_of(parsed(path.read_text(encoding="utf-8"), str(path)), str(path))
    except OSError as error:
        raise InputError(f"{path}: no recipe can be read here ({error.strerror}); is this a run folder?") from error


def recipe_of(tree: Mapping[str, Any], where: str) -> Recipe:
    """A recipe from its tree; a key that is not known is refused by name."""
    return built(Recipe, tree, where)


def write_recipe(recipe: Recipe, path: Path) -> None:
    """Write a recipe so that `read_recipe` gives it back."""
    write_whole(path, written(asdict(recipe)))


def built(kind: type[Config], tree: Any, where: str) -> Config:
    """A frozen config from a tree of tables, each value checked against its type."""
    if not isinstance(tree, Mapping):
        raise ConfigError(f"{where}: a table was expected; got {tree!r}.")
    hints = get_type_hints(kind)
    known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]  # Config is bound to dataclasses by use
    for key in tree:
        if key not in known:
            raise ConfigError(f"{where}: the key {key!r} is not known; keys: {', '.join(known)}.")
    for key, each in known.items():
        if key not in tree and each.default is MISSING and each.default_factory is MISSING:
            raise ConfigError(f"{where}: the key {key!r} is missing.")
    values = {key: value_of(hints[key], value, f"{where}, {key}") for key, value in tree.items()}
    return kind(**values)


def value_of(kind: Any, value: Any, where: str) -> Any:
    """A value of a field: nested configs, tuples of them, or a plain value of the right type."""
    if is_dataclass(kind) and isinstance(kind, type):
        return built(kind, value, where)
    if kind == tuple[Objective, ...]:
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ConfigError(f"{where}: a list of tables was expected; got {value!r}.")
        return tuple(built(Objective, each, where) for each in value)
    if kind == tuple[str, ...]:
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ConfigError(f"{where}: a list of names was expected; got {value!r}.")
        return tuple(str(each) for each in value)
    wanted = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind in wanted and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise ConfigError(f"{where}: {wanted[kind]} was expected; got {value!r}.")
    return dict(value) if isinstance(value, Mapping) else value


def set_keys(tree: dict[str, Any], settings: Sequence[str]) -> dict[str, Any]:
    """The tree with settings such as `training.rate=0.001` put in; what stands right of = is read as TOML, else as text."""
    for setting in settings:
        path, equals, text = setting.partition("=")
        if not equals or not path.strip():
            raise InputError(f"--set takes key=value, such as training.rate=0.001; got {setting!r}.")
        try:
            value = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            value = text.strip()
        *tables, key = path.strip().split(".")
        inside: Any = tree
        for table in tables:
            inside = inside[int(table)] if isinstance(inside, list) and table.isdigit() else inside.setdefault(table, {})
            if not isinstance(inside, dict | list):
                raise InputError(f"--set {setting}: {table!r} is not a table of the recipe.")
        if not isinstance(inside, dict):
            raise InputError(f"--set {setting}: name one of the list by its number, such as objectives.0.share=0.5.")
        inside[key] = value
    return tree
