"""`clearhead data` as a person uses it: list, get, add, where, show, and nonsense."""

import hashlib
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from clearhead.cli import main
from clearhead.corpora.store.catalogue import KNOWN, PublicCorpus, PublicFile
from corpora.store.faulty_server import CONTENT, Script, serving

SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLEARHEAD_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "letters.txt").write_text("Dear Ann,\n\nI left Łódź on 4 May 1931.\nYours, Bo\n", encoding="utf-8")
    return tmp_path / "letters.txt"


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """What the command prints; it must go well and say nothing on stderr."""
    code = main(["data", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """The one line that the command says on stderr; it must end with code 2 and print nothing else."""
    code = main(["data", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("clearhead: ")
    return err


def publish(monkeypatch: pytest.MonkeyPatch, script: Script, sha256: str | None) -> None:
    file = PublicFile("file.bin", script.address, len(CONTENT), sha256)
    monkeypatch.setitem(KNOWN, "local", PublicCorpus("local", "a test", (file,)))


def test_list_tells_where_from_how_large_and_whose_checksum(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "list")
    assert "world" in out
    for corpus in KNOWN.values():
        row = next(line for line in out.splitlines() if line.startswith(corpus.name + " "))
        assert ("published" in row) == all(file.sha256 for file in corpus.files)
        assert corpus.files[0].address is None or corpus.files[0].address in out


def test_list_as_json_has_every_file(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["name"]: row for row in json.loads(run(capsys, "list", "--json"))}
    assert rows["world"]["status"] == "built in"
    assert rows["birthplaces"]["status"] == "to add"
    for corpus in KNOWN.values():
        listed = rows[corpus.name]["files"]
        assert [(file["source"], file["bytes"], file["sha256"]) for file in listed] == [
            (file.address, file.size, file.sha256) for file in corpus.files
        ]


def test_get_verifies_and_a_second_get_downloads_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    with serving(Script(faults=["truncates"])) as script:
        publish(monkeypatch, script, SHA256)
        assert "matches the published SHA-256" in run(capsys, "get", "local")
        assert "matches the published SHA-256" in run(capsys, "get", "local")
        assert len(script.requests) == 2
    assert (data / "local" / "file.bin").read_bytes() == CONTENT
    assert "here" in next(line for line in run(capsys, "list").splitlines() if line.startswith("local"))


def test_get_records_the_first_checksum_and_holds_later_downloads_to_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    with serving(Script()) as script:
        publish(monkeypatch, script, None)
        assert "this one is recorded" in run(capsys, "get", "local")
        assert json.loads((data / "checksums.json").read_text()) == {"local/file.bin": SHA256}
        assert "recorded" in next(line for line in run(capsys, "list").splitlines() if line.startswith("local"))
        (data / "local" / "file.bin").unlink()
        script.always = "other bytes"
        assert "thrown away" in refused(capsys, "get", "local")
        script.always = ""
        assert "recorded before" in run(capsys, "get", "local")


def test_a_file_of_the_store_that_was_tampered_with_is_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    with serving(Script()) as script:
        publish(monkeypatch, script, SHA256)
        run(capsys, "get", "local")
        (data / "local" / "file.bin").write_bytes(b"other")
        assert "remove the file" in refused(capsys, "get", "local")


def test_a_failed_get_leaves_no_file(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    with serving(Script(always="404")) as script:
        publish(monkeypatch, script, SHA256)
        assert "404" in refused(capsys, "get", "local")
    assert [path for path in data.rglob("*") if path.is_file()] == []


def test_add_keeps_copies_of_your_own_files(capsys: pytest.CaptureFixture[str], own: Path, data: Path) -> None:
    assert "recorded" in run(capsys, "add", "letters", own)
    assert (data / "letters" / "letters.txt").read_bytes() == own.read_bytes()
    assert "recorded before" in run(capsys, "add", "letters", own)
    assert "your own" in next(line for line in run(capsys, "list").splitlines() if line.startswith("letters"))
    own.write_text("something else")
    assert "already" in refused(capsys, "add", "letters", own)


def test_add_tells_whether_the_course_s_files_are_the_published_ones(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wiki.txt").write_text("Bo is from Oslo.\n")
    assert "not the bytes" in run(capsys, "add", "birthplaces", tmp_path / "wiki.txt")
    digest = hashlib.sha256(b"Bo is from Oslo.\n").hexdigest()
    files = (replace(KNOWN["birthplaces"].files[0], sha256=digest), *KNOWN["birthplaces"].files[1:])
    monkeypatch.setitem(KNOWN, "birthplaces", replace(KNOWN["birthplaces"], files=files))
    assert "matches the published" in run(capsys, "add", "birthplaces", tmp_path / "wiki.txt")


def test_where(capsys: pytest.CaptureFixture[str], data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert run(capsys, "where").strip() == str(data)
    assert run(capsys, "where", "birthplaces").strip() == str(data / "birthplaces")
    monkeypatch.delenv("CLEARHEAD_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert run(capsys, "where").strip() == str(tmp_path / "share" / "clearhead")


def test_show_the_world(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "show", "world", "--count", "2", "--block", "64")
    for title in ("Biographies", "Questions", "Span corruption, edition xcs224n", "Salient spans with the words near them"):
        assert title in out
    pairs = [line[5:] for line in out.splitlines() if line.startswith(("  x: ", "  y: "))]
    assert len(pairs) == 2 * 2 * 4
    assert all(len(line) == 63 for line in pairs)
    question = next(line for line in pairs if line.startswith("Where was "))
    assert question.rstrip("□").endswith("⁇")
    assert question.endswith("□")


def test_show_byte_pairs_and_the_other_edition(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "show", "world", "--units", "byte-pairs", "--edition", "cs224n", "--seed", "3")
    assert "edition cs224n" in out
    assert "byte-pairs" in out


def test_show_your_own_text_by_name_or_by_path(capsys: pytest.CaptureFixture[str], own: Path) -> None:
    run(capsys, "add", "letters", own)
    for name in ("letters", own):
        out = run(capsys, "show", name, "--block", "32")
        assert "I left Łódź on 4 May 1931." in out
        assert "Next token" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["get", "nowhere"], "known: birthplaces"),
        (["get", "world"], "built in"),
        (["get", "birthplaces"], "clearhead data add birthplaces wiki.txt"),
        (["add", "letters"], "files"),
        (["add", "letters", "nowhere.txt"], "nowhere.txt"),
        (["add", "../out", "README.md"], "'../out'"),
        (["add", "world", "README.md"], "built in"),
        (["where", "../.."], "small letters"),
        (["show", "nowhere"], "world"),
        (["show", "shakespeare"], "clearhead data get shakespeare"),
        (["show", "world", "--count", "0"], "count"),
        (["show", "world", "--block", "8"], "block"),
        (["show", "world", "--edition", "x"], "xcs224n"),
        (["show", "world", "--units", "x"], "byte-pairs"),
        (["show"], "name"),
        (["dance"], "dance"),
    ],
)
def test_nonsense_is_one_line_and_code_two(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said.lower() in refused(capsys, *arguments).lower()


def test_a_damaged_record_is_named(capsys: pytest.CaptureFixture[str], data: Path, own: Path) -> None:
    data.mkdir()
    (data / "checksums.json").write_text("[")
    assert "checksums.json" in refused(capsys, "add", "letters", own)


def test_a_packed_corpus_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK")
    run(capsys, "add", "packed", tmp_path / "a.zip")
    assert "unpack" in refused(capsys, "show", "packed")


def test_a_store_that_cannot_be_written_is_one_line(
    capsys: pytest.CaptureFixture[str], own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLEARHEAD_DATA", str(own))  # a file where a folder should be
    assert "CLEARHEAD_DATA" in refused(capsys, "add", "letters", own)


def test_listing_and_showing_the_world_need_no_torch(data: Path) -> None:
    probe = (
        "import sys; from clearhead.cli import main; "
        "assert main(['data', 'list']) == 0 and main(['data', 'show', 'world']) == 0; "
        "assert not {'torch', 'tokenizers', 'numpy'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", probe], check=False, capture_output=True).returncode == 0


def test_no_bar_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from clearhead.progress import bar

    with bar("x", "bytes") as progress:
        progress(1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from clearhead.progress import bar

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with bar("local/file.bin", "bytes") as progress:
        progress(1_000, 2_000)
        progress(2_000, 2_000)
    assert "local/file.bin" in terminal.getvalue()
    assert "2.0/2.0 kB" in terminal.getvalue()
