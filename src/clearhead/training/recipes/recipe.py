"""A recipe: everything needed to start a run again, as one TOML file."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import tomli_w

from clearhead.corpora.vocabularies.vocabulary_config import VocabularyConfig
from clearhead.errors import ConfigError, InputError
from clearhead.saving import write_whole
from clearhead.training.recipes.config import TrainConfig
from clearhead.training.recipes.config_tree import built
from clearhead.training.recipes.objectives import Objective

Config = TypeVar("Config")
SHIPPED = files("clearhead") / "recipes"


@dataclass(frozen=True, kw_only=True)
class TextConfig:
    """What of a text is left out, and which file is scored beside the training."""

    left_out: tuple[str, ...] = ()  # files, or patterns, whose text is cut out of the training text
    dev: str = ""  # a file of its own to score on, where the text has no held-out end


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """One run: which corpus, which model, what to learn, how."""

    name: str
    variant: str = "vanilla"
    seed: int = 0
    corpus: str = "world"  # a folder with the course's file names, a kept corpus, or the built-in world
    start: str = ""  # a run folder, seen from this one, to take vocabulary and weights from; empty: a blank model
    held_out: float = 0.1  # share that is not learned from: of a text its end, of reviews and pictures some by their content
    epochs: float = 0.0  # passes over the first objective; written into training.tokens when the run starts
    vectors: str = ""  # a file of word vectors that the model's own start from
    experiment_minutes: float = 0.0  # that the experiment which this run ends may take, its answers too; 0: as long as it takes
    text: TextConfig = field(default_factory=TextConfig)
    vocabulary: VocabularyConfig = field(default_factory=VocabularyConfig)
    model: dict[str, Any] = field(default_factory=dict)  # `kind`, then what its config takes; `vocab` is filled in
    objectives: tuple[Objective, ...] = ()
    training: TrainConfig = field(default_factory=lambda: TrainConfig(tokens=1))
    history: tuple[TrainConfig, ...] = ()  # the settings that held before, where a run was gone on with under others

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
    return built(Recipe, with_new_names(tree), where)


def with_new_names(tree: Mapping[str, Any]) -> dict[str, Any]:
    """A tree of an earlier version under the names of today: text.validation is now held_out."""
    named, text = dict(tree), tree.get("text")
    if isinstance(text, Mapping) and "validation" in text:
        named["text"] = {key: value for key, value in text.items() if key != "validation"}
        named["held_out"] = text["validation"]
    return named


def write_recipe(recipe: Recipe, path: Path) -> None:
    """Write a recipe so that `read_recipe` gives it back."""
    write_whole(path, tomli_w.dumps(asdict(recipe)))
