"""`clearhead serve` as a stranger meets it: what it gives, what it refuses, and that nothing of theirs reaches the disk."""

import asyncio
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clearhead.cli import build_app, main
from clearhead.errors import InputError
from clearhead.web.front_files import PAGES, front_files, strings
from clearhead.web.site_folder import write_site
from clearhead.web.worker_pool import WorkerPool
from web.served import Served, serving


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as found:
        yield found


@pytest.mark.parametrize("file", sorted(PAGES.values()))
def test_every_page_comes_with_a_strict_policy_and_asks_nobody_else(server: Served, file: str) -> None:
    status, headers, body = server.get(f"/{file}")
    assert status == 200
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert re.findall(rb"(?:src|href|action)=\"(?:https?:)?//", body) == []
    assert re.search(rb"<style|\sstyle=\"|\son\w+=\"", body) is None


def test_the_default_problem_stands_there_before_any_script(server: Served) -> None:
    body = server.get("/work.html")[2].decode()
    assert 'data-step="weights"' in body
    assert "0.62" in body


def test_every_file_a_page_names_is_there(server: Served) -> None:
    for file in PAGES.values():
        body = server.get(f"/{file}")[2].decode()
        for name in re.findall(r'(?:src|href)="([^"#:]+)"', body):
            assert server.get(f"/{name}")[0] == 200, name
    for path, content in front_files("local", PAGES).items():
        if path.endswith(".js"):
            for name in re.findall(r'from "\./([\w.]+)"', content.decode()):
                assert server.get(f"/js/{name}")[0] == 200, name


def test_the_desk_answers(server: Served) -> None:
    assert server.ask("work", example="softmax")["value"]["kind"] == "softmax"
    assert server.ask("work", example="nothing")["error"].startswith("there is no bundled problem")


def test_a_page_is_sent_once(server: Served) -> None:
    tag = server.get("/css/base.css")[1]["etag"]
    status, _, body = server.get("/css/base.css", If_None_Match=tag)
    assert (status, body) == (304, b"")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.nip.io:80", ""])
def test_another_host_is_refused(server: Served, host: str) -> None:
    assert server.get("/", Host=host)[0] in (400, 421)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Content_Type": "text/plain"},
        {"Content_Type": "application/x-www-form-urlencoded"},
    ],
)
def test_another_page_cannot_ask(server: Served, headers: dict[str, str]) -> None:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    assert server.send("POST", "/desk/work", b"{}", {"Content-Type": "application/json"} | sent)[0] in (403, 415)


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/..%2f..%2fpyproject.toml",
        "/js/../../server.py",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/strings.json",
        "/pages/work.html",
        "/js",
    ],
)
def test_no_path_reaches_the_disk(server: Served, path: str) -> None:
    assert server.get(path)[0] == 404


def test_what_is_too_long_is_refused_unread(server: Served) -> None:
    assert server.post("/desk/work", b"{}", Content_Length="99999999999")[0] == 413
    assert server.post("/desk/work", b" " * 1_300_000)[0] == 413
    assert server.ask("work", toml="x" * 299_000)["ok"] is False


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"[]", b"{", b"null", b'{"example": 3}', b'{"problem": {"kind": []}}'])
def test_nonsense_is_an_answer_and_the_next_question_is_answered_too(server: Served, body: bytes) -> None:
    status, _, found = server.post("/desk/work", body)
    assert status in (200, 413)
    assert json.loads(found)["ok"] is False
    assert server.ask("work", example="softmax")["ok"]


def test_other_methods_and_names_are_not_known(server: Served) -> None:
    assert server.send("PUT", "/work.html", b"", {"Content-Type": "application/json"})[0] == 405
    assert server.get("/desk/work")[0] == 404
    assert server.post("/desk/nothing", b"{}")[0] == 404


def test_with_a_token_only_those_who_have_it_come_in() -> None:
    with serving("--token", "a-secret-token-1") as server:
        assert server.get("/")[0] == 401
        assert server.get("/?token=wrong")[0] == 401
        assert server.get("/", Authorization="Bearer a-secret-token-1")[0] == 200
        status, headers, _ = server.get("/?token=a-secret-token-1")
        assert status == 303
        assert "HttpOnly" in headers["set-cookie"]
        assert "SameSite=strict" in headers["set-cookie"]
        assert server.get("/", Cookie=headers["set-cookie"].partition(";")[0])[0] == 200
        assert server.post("/desk/work", b"{}", Cookie="clearhead_token=wrong")[0] == 401


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "needs --token"),
        (["--host", "0.0.0.0", "--token", "short"], "8 letters"),
        (["--runs", "nowhere-at-all"], "no such folder"),
        (["--port", "0"], "--port"),
    ],
)
def test_bad_options_are_one_line(options: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *options]) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1


def test_a_port_in_use_is_one_line(server: Served, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", str(server.port)]) == 2
    assert f"try --port {server.port + 1}" in capsys.readouterr().err


# ---- workers


def test_what_takes_too_long_is_stopped_and_the_next_question_answered() -> None:
    async def asked() -> tuple[str, str, int | None, int | None]:
        pool = WorkerPool("desk", 1, 0.001)
        await pool.start()
        first = await pool.workers[0].start()
        slow = await pool.ask("work", '{"example": "sorter"}')
        quick = await pool.ask("work", '{"example": "softmax"}', 60)
        second = await pool.workers[0].start()
        await pool.close()
        return slow, quick, first.pid, second.pid

    slow, quick, first, second = asyncio.run(asked())
    assert "was stopped" in json.loads(slow)["error"]
    assert json.loads(quick)["ok"]
    assert first != second


def test_a_worker_that_dies_is_replaced() -> None:
    async def asked() -> tuple[str, str]:
        pool = WorkerPool("desk", 1, 60)
        await pool.start('work\n{"example": "softmax"}')
        (await pool.workers[0].start()).kill()
        lost = await pool.ask("work", '{"example": "softmax"}')
        again = await pool.ask("work", '{"example": "softmax"}')
        await pool.close()
        return lost, again

    lost, again = asyncio.run(asked())
    assert json.loads(again)["ok"]
    assert json.loads(lost)["ok"] or "ended it" in json.loads(lost)["error"]


# ---- strings


def test_every_string_has_every_language_and_the_same_places() -> None:
    for key, words in strings().items():
        assert set(words) == {"en", "de"}, key
        assert set(re.findall(r"\{\w+\}", words["en"])) == set(re.findall(r"\{\w+\}", words["de"])), key


def test_every_string_that_a_script_or_a_page_asks_for_is_there() -> None:
    files = front_files("browser", PAGES)
    asked = {
        key
        for path, content in files.items()
        if path.endswith(".js")
        for key in re.findall(r'\bt\("([^"]+)"', content.decode())
    }
    asked |= {
        key
        for path, content in files.items()
        if path.endswith(".html")
        for key in re.findall(r'data-t(?:-label)?="([^"]+)"', content.decode())
    }
    assert asked - strings().keys() == set()


def test_the_command_is_in_the_list() -> None:
    assert "serve" in CliRunner().invoke(build_app(), ["--help"]).stdout


# ---- the site


def unpacked_pyodide(folder: Path) -> Path:
    """Something with the names of Pyodide's files."""
    folder.mkdir()
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        (folder / name).write_text("not it", encoding="utf-8")
    (folder / "package.json").write_text('{"version": "1.2.3"}', encoding="utf-8")
    (folder / "pyodide-lock.json").write_text('{"info": {"python": "3.14"}, "packages": {"numpy": {}}}', encoding="utf-8")
    return folder


def test_a_site_is_whole_and_the_same_sources_give_the_same_bytes(tmp_path: Path) -> None:
    pyodide = unpacked_pyodide(tmp_path / "pyodide")
    first, again = (write_site(tmp_path / name, pyodide) for name in ("one", "two"))
    files = sorted(path.relative_to(first.folder).as_posix() for path in first.folder.rglob("*") if path.is_file())
    assert len(files) == first.files
    for name in files:
        assert (first.folder / name).read_bytes() == (again.folder / name).read_bytes(), name
    assert {"index.html", "work.html", "offline.js", "python/rooms.zip", "pyodide/pyodide.mjs"} <= set(files)
    assert "not the version that is tested" in first.notes[0]
    assert "numpy" not in (first.folder / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8")
    inside = zipfile.ZipFile(first.folder / "python" / "rooms.zip").namelist()
    assert not [name for name in inside if name.startswith(("clearhead/training", "clearhead/web")) or name.endswith(".so")]


@pytest.mark.parametrize("version", ["", '{"version": "314.0.7"}'])
def test_a_pyodide_that_is_none_or_not_what_it_says_is_refused(tmp_path: Path, version: str) -> None:
    pyodide = unpacked_pyodide(tmp_path / "pyodide")
    (pyodide / "package.json").write_text(version, encoding="utf-8")
    with pytest.raises(InputError, match=r"there is no unpacked Pyodide|is not what Pyodide"):
        write_site(tmp_path / "out", pyodide)
    assert not (tmp_path / "out").exists()


def test_no_file_of_the_front_end_names_another_host() -> None:
    for path, content in front_files("browser", PAGES).items():
        if not path.endswith((".woff2", ".txt")):
            found = re.findall(rb"https?://(?!www\.w3\.org/)[^\s\"'`)]+", content)
            assert found == [], path
