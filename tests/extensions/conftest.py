"""A copy of the package that a test may add to, and the command line on it."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parent.parent.parent / "src" / "clearhead"


@dataclass(frozen=True)
class Copy:
    """The package in a folder of its own; `add` is the one new file, `extend` the one line in a table."""

    folder: Path

    def add(self, path: str, content: str) -> None:
        file = self.folder / "clearhead" / path
        assert not file.exists(), "an extension is a new file"
        file.write_text(content, encoding="utf-8")

    def extend(self, path: str, after: str, line: str) -> None:
        file = self.folder / "clearhead" / path
        before = file.read_text(encoding="utf-8")
        assert before.count(after) == 1, f"{path} has no such place"
        assert "\n" not in line
        file.write_text(before.replace(after, f"{after}\n{line}"), encoding="utf-8")

    def clearhead(self, *words: str | Path, code: int = 0) -> str:
        """What a command prints."""
        paths = {**os.environ, "PYTHONPATH": str(self.folder)}
        command = [sys.executable, "-m", "clearhead", *(str(word) for word in words)]
        done = subprocess.run(command, cwd=self.folder, env=paths, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout

    def told(self, *words: str | Path) -> Any:
        """What a command prints, as the tree that it is."""
        return json.loads(self.clearhead(*words))


@pytest.fixture
def package(tmp_path: Path) -> Copy:
    shutil.copytree(SOURCE, tmp_path / "clearhead", ignore=shutil.ignore_patterns("__pycache__"))
    return Copy(tmp_path)
