"""`clearhead data`: the corpora that are built in, public, or your own."""

from pathlib import Path
from typing import Annotated, Any

import typer

Name = Annotated[str, typer.Argument(help="Name of the corpus; clearhead data list has them all.")]


def add_to(app: typer.Typer) -> None:
    data = typer.Typer(
        help="Corpora: the built-in one, known public ones (checksummed), your own.\n\nExample: clearhead data list",
        no_args_is_help=True,
    )
    data.command("list")(list_corpora)
    data.command()(get)
    data.command()(add)
    data.command()(where)
    data.command()(show)
    data.command()(shard)
    app.add_typer(data, name="data")


def list_corpora(json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> None:
    """List every corpus: where it is, how large, and whether its SHA-256 is known.

    Example: clearhead data list
    """
    from clearhead.corpora.store.corpus_table import as_json, as_text, rows

    typer.echo(as_json(rows()) if json else as_text(rows()))


def get(name: Name) -> None:
    """Download a known public corpus: goes on where it stopped, verifies, never leaves a half file.

    Example: clearhead data get shakespeare
    """
    from clearhead.corpora.store.corpus_table import kept_text
    from clearhead.corpora.store.store_folder import get_corpus
    from clearhead.progress import bar

    typer.echo(kept_text(get_corpus(name, bar)))


def add(name: Name, files: Annotated[list[Path], typer.Argument(help="Your files; they are copied.")]) -> None:
    """Keep your own files as a corpus.

    Example: clearhead data add letters letters-1.txt letters-2.txt
    """
    from clearhead.corpora.store.corpus_table import kept_text
    from clearhead.corpora.store.store_folder import add_files

    typer.echo(kept_text(add_files(name, files)))


def where(name: Annotated[str, typer.Argument(help="Name of a corpus; none: the folder of all.")] = "") -> None:
    """Print the folder of all corpora, or of one. CLEARHEAD_DATA names another.

    Example: clearhead data where birthplaces
    """
    from clearhead.corpora.store.store_folder import data_folder, folder_of

    typer.echo(folder_of(name) if name else data_folder())


def show(
    name: Annotated[
        str,
        typer.Argument(
            help="Name of a corpus (world:people=50 sets a knob), a folder with the course's four files, or a text file."
        ),
    ],
    count: Annotated[int, typer.Option(help="How many of each.")] = 3,
    block: Annotated[int, typer.Option(help="Tokens in an example.")] = 128,
    edition: Annotated[str, typer.Option(help="Span corruption as in xcs224n or cs224n.")] = "xcs224n",
    units: Annotated[str, typer.Option(help="characters or byte-pairs.")] = "characters",
    seed: Annotated[int, typer.Option(help="Another seed, other examples.")] = 0,
) -> None:
    """Print a few examples of a corpus as a model gets them: x above y, □ the pad, ⁇ the mask.

    Example: clearhead data show world:biographies_each=1 --count 2
    """
    from clearhead.corpora.preview import View
    from clearhead.corpora.preview import show as shown

    choices: dict[str, Any] = {"count": count, "block": block, "edition": edition, "units": units, "seed": seed}
    typer.echo(shown(name, View(**choices)))


def shard(
    out: Annotated[Path, typer.Option("--out", help="The folder of shards.")],
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="IN…", help="Text, JSON lines, Parquet, packed or not; folders of them.")
    ] = None,
    column: Annotated[str, typer.Option("--column", help="Where the text stands in JSON lines and Parquet.")] = "text",
    vocabulary: Annotated[
        str, typer.Option("--vocabulary", help="byte-pairs or characters, learned; or a run folder whose one is taken.")
    ] = "byte-pairs",
    size: Annotated[int, typer.Option("--size", help="How many byte pairs.")] = 2048,
    processes: Annotated[int, typer.Option("--processes", help="How many at once; else one a core.")] = 0,
) -> None:
    """Files larger than memory to tokenised, checksummed shards, to train on; stopped, the same command goes on.

    Without files the shards of --out are verified.

    Example: clearhead data shard books/ reviews.jsonl --out shards
    """
    from clearhead.corpora.shards.shard_writer import ShardWish, sharded, shards_told
    from clearhead.progress import bar

    wish = ShardWish(column=column, vocabulary=vocabulary, size=size, processes=processes)
    typer.echo(shards_told(sharded(files or [], out, wish, bar), verified=not files))
