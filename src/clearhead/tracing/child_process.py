"""Starts the process that runs the file, waits for it within a limit, and reads what it found."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from clearhead.errors import InputError
from clearhead.layers import Analysis, Input, net_calls
from clearhead.tracing.traced_analysis import assemble

SECONDS = 180.0
SETUP = "import sys; from clearhead.tracing import traced_program; traced_program.main()"


def trace(text: str, inputs: tuple[Input, ...], net: str | None, file: str, seconds: float = SECONDS) -> Analysis:
    """Run a source on tensors without numbers, and say what reading would have said.

    Only for a file that is trusted: its definitions and assignments are executed, loops and bare calls at its top are not.
    """
    shapes = [{"name": each.name, "sizes": list(each.sizes), "place": each.place, "whole": each.whole} for each in inputs]
    calls = [net] if net is not None else net_calls(text)
    request = {"text": text, "file": file, "inputs": shapes, "calls": calls, "named": net is not None}
    try:
        done = subprocess.run(
            [sys.executable, "-c", SETUP],
            input=json.dumps(request),
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
            cwd=Path(file).resolve().parent if Path(file).exists() else None,
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"--run: {Path(file).name} did not end within {seconds:.0f} seconds.") from None
    answer = done.stdout.rpartition("\n@@@")[2] if "\n@@@" in done.stdout else ""
    if not answer:
        last = " ".join((done.stderr.strip().splitlines() or ["nothing was said"])[-1].split())
        raise InputError(f"--run: {Path(file).name} could not be run: {last[:200]}")
    found: dict[str, Any] = json.loads(answer)
    if "refused" in found:
        raise InputError(f"--run: {Path(file).name}: {found['refused']}")
    return assemble(text, inputs, found)
