"""A birthplaces corpus by what people type: the world, a world with other knobs, a kept corpus, or a folder."""

from dataclasses import fields, replace
from pathlib import Path

from clearhead.corpora.sources.biographies import BIOGRAPHIES, Birthplaces, read_birthplaces
from clearhead.corpora.sources.world import WorldConfig, world_of
from clearhead.corpora.store.store_folder import files_of, kept_names
from clearhead.errors import ConfigError, InputError

WORLD = "world"


def find_corpus(name: str = WORLD) -> Birthplaces:
    """The corpus that a name means; `world:biographies_each=1,people=200` is a world with those knobs.

    >>> len(find_corpus("world:people=50,biographies_each=2").biographies)
    100
    """
    if is_world(name):
        return world_of(world_config(name))
    kept = [file.parent for file in files_of(name) if file.name == BIOGRAPHIES] if name in kept_names() else []
    folder = kept[0] if kept else Path(name)
    if not folder.is_dir():
        raise InputError(f"{name}: neither the name of a kept corpus with {BIOGRAPHIES}, nor a folder; try: {WORLD}")
    return read_birthplaces(folder)


def is_world(name: str) -> bool:
    return name == WORLD or name.startswith(f"{WORLD}:")


def world_config(name: str) -> WorldConfig:
    """The knobs written after `world:`, over the defaults."""
    kinds: dict[str, type] = {field.name: type(field.default) for field in fields(WorldConfig)}
    config = WorldConfig()
    for written in filter(None, name.removeprefix(WORLD).removeprefix(":").split(",")):
        knob, _, value = (part.strip() for part in written.partition("="))
        if knob not in kinds:
            raise ConfigError(f"{name}: a world has no knob {knob!r}; knobs: {', '.join(kinds)}.")
        try:
            number = kinds[knob](value)
        except ValueError as error:
            raise ConfigError(f"{name}: {knob} must be a number such as {getattr(config, knob)}; got {value!r}.") from error
        config = replace(config, **{knob: number})
    return config
