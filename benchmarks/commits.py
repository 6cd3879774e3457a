"""Commits of this repository as folders of their own, so that two can be run side by side."""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parent.parent
ONE_PROCESS = "8b04c65"  # the last commit that knew one processor and one process only, and planned minutes once


def named(commit: str) -> str:
    """The short name of a commit."""
    return subprocess.run(
        ["git", "rev-parse", "--short", commit], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def unpacked(commit: str, folder: Path) -> Path:
    """The sources of a commit in a folder; where Python finds the package there."""
    packed = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder.resolve() / "src"
