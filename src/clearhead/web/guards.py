"""Who may ask a local server, and what every answer carries: Host, Origin, token, sizes, and a strict policy for pages."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "worker-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
"""The Content-Security-Policy of every page; a header adds who may frame it, which a page itself cannot say."""

HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
COOKIE = "clearhead_token"
HERE = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Guard:
    """What is let in: with a token, whoever has it; without, only this machine by its own names."""

    port: int
    token: str = ""

    def refusal(self, method: str, headers: Mapping[str, str], cookies: Mapping[str, str]) -> tuple[int, str]:
        """A status and why, or (0, "") for who may come in."""
        host = headers.get("host", "")
        if not self.token and host not in {f"{name}:{self.port}" for name in HERE} | (set(HERE) if self.port == 80 else set()):
            return 421, "this server answers only to 127.0.0.1 and localhost; start it with --host and --token for others"
        if self.token and not self.has_token(headers, cookies):
            return 401, "a token is needed: open the address that clearhead serve printed"
        if method not in ("GET", "HEAD"):
            origin = headers.get("origin")
            if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
                return 403, "another page asked; only this server's own pages may"
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return 403, "another page asked; only this server's own pages may"
            if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return 415, "ask in application/json"
        return 0, ""

    def has_token(self, headers: Mapping[str, str], cookies: Mapping[str, str]) -> bool:
        offered = (cookies.get(COOKIE, ""), headers.get("authorization", "").removeprefix("Bearer "))
        return any(hmac.compare_digest(one.encode(), self.token.encode()) for one in offered)
