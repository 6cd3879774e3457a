"""`clearhead site`: the pages as a static folder, with Python in the browser."""

from pathlib import Path
from typing import Annotated

import typer

HELP = """Write the pages as a static folder that any web host can serve: Python runs in the reader's browser.

Example:

  clearhead site --out public --pyodide node_modules/pyodide
"""


def add_to(app: typer.Typer) -> None:
    app.command("site", help=HELP)(site)


def site(
    out: Annotated[Path, typer.Option("--out", help="The folder to write.")],
    pyodide: Annotated[Path, typer.Option("--pyodide", help="An unpacked copy of Pyodide (npm's package).")] = Path(
        "node_modules/pyodide"
    ),
) -> None:
    from clearhead.progress import spinner
    from clearhead.web.site_folder import write_site

    with spinner("writing the site"):
        written = write_site(out, pyodide)
    for note in written.notes:
        typer.echo(f"clearhead: {note}", err=True)
    typer.echo(f"{written.folder}: {written.files} files, {written.size / 1e6:.1f} MB")
    typer.echo(f"Try it: python -m http.server -d {written.folder}")
