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
    app.add_typer(data, name="data")


def list_corpora(json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> None:
    """List every corpus: where it is, how large, and whether its SHA-256 is known.

    Example: clearhead data list
    """
    from clearhead.corpora.store.listing import as_json, as_text, rows

    typer.echo(as_json(rows()) if json else as_text(rows()))


def get(name: Name) -> None:
    """Download a known public corpus: goes on where it stopped, verifies, never leaves a half file.

    Example: clearhead data get shakespeare
    """
    from clearhead.corpora.store.listing import kept_text
    from clearhead.corpora.store.store_folder import get_corpus
    from clearhead.progress import bar

    typer.echo(kept_text(get_corpus(name, bar)))


def add(name: Name, files: Annotated[list[Path], typer.Argument(help="Your files; they are copied.")]) -> None:
    """Keep your own files as a corpus.

    Example: clearhead data add letters letters-1.txt letters-2.txt
    """
    from clearhead.corpora.store.listing import kept_text
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
