"""Downloads from a server that stalls, truncates and lies: whole and verified, or not there."""

import hashlib
import socket
import ssl
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from clearhead.corpora.store.download import Patience, download
from clearhead.errors import InputError
from corpora.store.faulty_server import CONTENT, Script, serving

SHA256 = hashlib.sha256(CONTENT).hexdigest()
HASTY = Patience(seconds=0.3, attempts=4, pause=0.0)


def fetched(script: Script, folder: Path, **known) -> str:
    return download(script.address, folder / "kept" / "file.bin", folder / "workshop", patience=HASTY, **known)


def assert_whole(folder: Path) -> None:
    assert (folder / "kept" / "file.bin").read_bytes() == CONTENT
    assert list((folder / "workshop").iterdir()) == []


def assert_nothing_kept(folder: Path) -> None:
    assert not (folder / "kept").exists()


def test_a_good_server(tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    with serving(Script()) as script:
        got = fetched(script, tmp_path, size=len(CONTENT), sha256=SHA256, progress=lambda *of: seen.append(of))
    assert got == SHA256
    assert_whole(tmp_path)
    assert seen[0] == (0, len(CONTENT))
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    "faults",
    [
        ["truncates"],
        ["stalls"],
        ["trickles"],
        ["503", "429"],
        ["claims more"],
        ["truncates", "truncates", "stalls"],
        ["truncates", "another range"],
        ["truncates", "416"],
    ],
)
def test_what_passes_is_tried_again(faults: list[str], tmp_path: Path) -> None:
    with serving(Script(faults=[*faults])) as script:
        assert fetched(script, tmp_path, size=None, sha256=SHA256) == SHA256
        assert len(faults) < len(script.requests) <= HASTY.attempts
    assert_whole(tmp_path)


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with serving(Script(faults=["truncates"])) as script:
        fetched(script, tmp_path)
        assert script.requests[1]["Range"] == f"bytes={len(CONTENT) // 2}-"
        assert script.requests[1]["If-Range"] == '"one"'
    assert_whole(tmp_path)


def test_a_later_run_goes_on_where_the_first_gave_up(tmp_path: Path) -> None:
    with serving(Script(always="truncates")) as script:
        with pytest.raises(InputError, match="run it again"):
            fetched(script, tmp_path)
        assert_nothing_kept(tmp_path)
        before = len(script.requests)
        script.always = ""
        fetched(script, tmp_path)
        assert len(script.requests) == before + 1
        assert int(script.requests[-1]["Range"].removeprefix("bytes=").rstrip("-")) > len(CONTENT) / 2
    assert_whole(tmp_path)


@pytest.mark.parametrize("fault", ["stalls", "truncates", "503", "trickles", "claims more"])
def test_patience_ends_and_nothing_half_is_left(fault: str, tmp_path: Path) -> None:
    with serving(Script(always=fault, ranges=False)) as script:
        with pytest.raises(InputError, match="gave up after 4 attempts"):
            fetched(script, tmp_path)
        assert len(script.requests) == 4
    assert_nothing_kept(tmp_path)


def test_a_file_that_changed_in_between_is_fetched_anew(tmp_path: Path) -> None:
    with serving(Script(content=b"old" * 5000, always="truncates")) as script:
        with pytest.raises(InputError):
            fetched(script, tmp_path)
        script.content, script.etag, script.always = CONTENT, '"two"', ""
        assert fetched(script, tmp_path) == SHA256
    assert_whole(tmp_path)


def test_without_a_version_it_goes_on_only_if_a_checksum_will_tell(tmp_path: Path) -> None:
    with serving(Script(faults=["truncates"], etag=None)) as script:
        fetched(script, tmp_path / "checked", sha256=SHA256)
        assert "Range" in script.requests[1]
        script.faults = ["truncates"]
        fetched(script, tmp_path / "unchecked")
        assert "Range" not in script.requests[3]
    assert_whole(tmp_path / "checked")
    assert_whole(tmp_path / "unchecked")


def test_a_server_without_ranges_is_started_over(tmp_path: Path) -> None:
    with serving(Script(faults=["truncates"], ranges=False)) as script:
        assert fetched(script, tmp_path, sha256=SHA256) == SHA256
    assert_whole(tmp_path)


def test_a_length_that_is_not_told_is_taken_as_it_comes(tmp_path: Path) -> None:
    with serving(Script(always="no length")) as script:
        assert fetched(script, tmp_path) == SHA256
    assert_whole(tmp_path)


@pytest.mark.parametrize(
    ("fault", "known", "said"),
    [
        ("other bytes", {"sha256": SHA256}, "thrown away"),
        ("other bytes", {"sha256": SHA256, "size": len(CONTENT)}, "thrown away"),
        ("claims less", {"sha256": SHA256}, "thrown away"),
        ("claims less", {"size": len(CONTENT)}, "the server offers"),
        ("endless", {"size": len(CONTENT)}, "sends more"),
        ("404", {}, "404"),
        ("403", {}, "403"),
    ],
)
def test_a_lie_is_found_out_and_nothing_is_kept(fault: str, known, said: str, tmp_path: Path) -> None:
    with serving(Script(always=fault)) as script:
        with pytest.raises(InputError, match=said):
            fetched(script, tmp_path, **known)
        assert len(script.requests) == 1
    assert_nothing_kept(tmp_path)
    assert list((tmp_path / "workshop").iterdir()) == []


def test_pieces_of_two_files_are_found_out(tmp_path: Path) -> None:
    with serving(Script(faults=["truncates", "other bytes"])) as script, pytest.raises(InputError, match="thrown away"):
        fetched(script, tmp_path, sha256=SHA256)
    assert_nothing_kept(tmp_path)


def test_a_part_of_another_address_is_not_used(tmp_path: Path) -> None:
    with serving(Script(content=b"x" * 9000, always="truncates")) as script, pytest.raises(InputError):
        fetched(script, tmp_path)
    with serving(Script()) as script:
        assert fetched(script, tmp_path) == SHA256
        assert "Range" not in script.requests[0]


def test_nobody_there(tmp_path: Path) -> None:
    with serving(Script()) as script:
        pass
    with pytest.raises(InputError, match="gave up"):
        fetched(script, tmp_path)


@pytest.mark.parametrize(
    ("cause", "said"),
    [(socket.gaierror(-2, "unknown"), "on the network"), (ssl.SSLCertVerificationError(1, "bad"), "certificate")],
)
def test_what_will_not_change_is_not_tried_again(
    cause: OSError, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def refuse(*of: object, **named: object) -> None:
        tried.append(of)
        raise urllib.error.URLError(cause)

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    cause.verify_message = "self-signed"  # type: ignore[attr-defined]
    with pytest.raises(InputError, match=said):
        fetched(Script(address="https://somewhere.invalid/x"), tmp_path)
    assert len(tried) == 1


def test_only_the_web_is_asked(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="http"):
        download("file:///etc/hostname", tmp_path / "x", tmp_path)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "workshop").write_text("a file where a folder should be")
    with serving(Script()) as script, pytest.raises(InputError, match="CLEARHEAD_DATA"):
        fetched(script, tmp_path)
