"""What the serve command does: its options checked, the extra asked for, and the server started."""

import ipaddress
import socket
from collections.abc import Callable
from pathlib import Path

from clearhead.errors import InputError, MissingExtraError

SHORTEST_TOKEN = 8


def serve_pages(host: str, port: int, token: str, runs: Path | None, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; who listens for others needs a token."""
    if not is_here(host) and not token:
        raise InputError('--host lets other machines in, so it needs --token, such as --token "$(openssl rand -hex 16)"')
    if token and (len(token) < SHORTEST_TOKEN or not token.isascii() or not all(c.isalnum() or c in "-_." for c in token)):
        raise InputError(f"--token must have {SHORTEST_TOKEN} letters and digits or more")
    if runs is not None and not runs.is_dir():
        raise InputError(f"--runs {runs}: there is no such folder")
    try:
        from clearhead.web.server import ServeOptions, serve
    except ModuleNotFoundError as error:
        raise MissingExtraError(f"the pages need {error.name}; install them with: pip install 'clearhead[web]'") from None
    require_free(host, port)
    serve(ServeOptions(host, port, token, runs), lambda address: tell(f"Clearhead is at {address}  (Ctrl-C stops it)"))


def is_here(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> is_here("127.0.0.1"), is_here("localhost"), is_here("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def require_free(host: str, port: int) -> None:
    """Say so in one line where somebody else listens there already."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((host, port))
    except OSError as error:
        raise InputError(f"{host}:{port} cannot be listened on ({error.strerror}); try --port {port + 1}") from None
