"""What is written down while a run goes on: one JSON object a line."""

import json
from pathlib import Path
from typing import Any

from clearhead.saving import write_whole


def append_metrics(path: Path, record: dict[str, Any]) -> None:
    """Add one line."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """Every whole line; a line that a kill cut short is left out."""
    records = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            records.append(json.loads(line))
        except ValueError:
            continue
    return records


def forget_after(path: Path, step: int) -> None:
    """Take out what a killed run wrote after the checkpoint that it goes on from."""
    kept = [record for record in read_metrics(path) if record.get("step", 0) <= step]
    write_whole(path, "".join(json.dumps(record) + "\n" for record in kept))
