"""`clearhead serve`: the pages in a browser, with the Python of this machine behind them."""

from pathlib import Path
from typing import Annotated

import typer

HELP = """Work, practise and mark in a browser, on this machine: the pages with the local Python as their engine.

Examples:

  clearhead serve

  clearhead serve --runs runs --port 9000

  clearhead serve --host 0.0.0.0 --token "$(openssl rand -hex 16)"
"""


def add_to(app: typer.Typer) -> None:
    app.command("serve", help=HELP)(serve)


def serve(
    port: Annotated[int, typer.Option("--port", help="The port to listen on.", min=1, max=65_535)] = 8765,
    host: Annotated[str, typer.Option("--host", help="Listen for other machines too; needs --token.")] = "127.0.0.1",
    token: Annotated[str, typer.Option("--token", help="What others must know to come in.")] = "",
    runs: Annotated[Path | None, typer.Option("--runs", help="Where run folders lie, for Runs, Ask and Look.")] = None,
) -> None:
    from clearhead.web.serve_command import serve_pages

    serve_pages(host, port, token, runs, typer.echo)
