"""`clearhead site`: the pages as a static folder with Python inside; any web host can serve it, nothing is installed."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from clearhead.errors import InputError
from clearhead.saving import save
from clearhead.web.front_files import PAGES, front_files, tag_of
from clearhead.web.python_archive import late_archives, rooms_archive

PYODIDE = "314.0.7"
"""The version that is tested; its files by their SHA-256."""
CHECKSUMS = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
}
LOCK = "pyodide-lock.json"
HOW = "Get it with: npm install pyodide@{} (then --pyodide node_modules/pyodide), or from a checkout: make site OUT=DIR"


@dataclass(frozen=True, slots=True)
class WrittenSite:
    """What was written: how many files, how many bytes, and what to know about them."""

    folder: Path
    files: int
    size: int
    notes: tuple[str, ...]


def write_site(out: Path, pyodide: Path, tell: Callable[[str], None] = lambda line: None) -> WrittenSite:
    """Write the folder; what stands there under the same names is replaced, nothing else is touched."""
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out}: is a file; name a folder")
    engine, notes = pyodide_files(pyodide)
    files = front_files("browser", PAGES) | {f"pyodide/{name}": content for name, content in engine.items()}
    tell("packing Python")
    archives = {"rooms": rooms_archive(), **late_archives()}
    files |= {f"python/{name}.zip": content for name, content in archives.items()}
    files["offline.js"] = offline_script(files["offline.js"].decode(), files).encode()
    for path, content in files.items():
        target = out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        save(content, target)
    return WrittenSite(out, len(files), sum(map(len, files.values())), tuple(notes))


def offline_script(code: str, files: dict[str, bytes]) -> str:
    """The service worker with the list of this version's files; any change of any file makes a new version."""
    kept = sorted(path for path in files if path != "offline.js" and not path.endswith(".txt"))
    version = hashlib.sha256("".join(f"{path} {tag_of(files[path])}\n" for path in sorted(files)).encode()).hexdigest()[:16]
    return f"const VERSION = {json.dumps(version)};\nconst FILES = {json.dumps(kept)};\n{code}"


def pyodide_files(folder: Path) -> tuple[dict[str, bytes], list[str]]:
    """The files of an unpacked Pyodide that a page needs, their checksums compared where the version is the tested one."""
    try:
        version = str(json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"])
        files = {name: (folder / name).read_bytes() for name in CHECKSUMS}
        lock = json.loads((folder / LOCK).read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"--pyodide {folder}: there is no unpacked Pyodide. {HOW.format(PYODIDE)}") from None
    notes = []
    if version != PYODIDE:
        notes.append(f"Pyodide {version} is not the version that is tested ({PYODIDE}); try the pages before you publish them")
    else:
        wrong = [name for name, known in CHECKSUMS.items() if hashlib.sha256(files[name]).hexdigest() != known]
        if wrong:
            raise InputError(f"--pyodide {folder}: {', '.join(wrong)} is not what Pyodide {PYODIDE} holds; get it anew")
    files[LOCK] = json.dumps({"info": lock["info"], "packages": {}}).encode()  # its other packages are never asked for
    return files, notes
