"""A command's threads sleep soon when they wait, so that a busy machine gets on; whoever asks otherwise gets it."""

import os
import subprocess
import sys

import pytest

ASKED = """
import os, sys
import clearhead.cli as cli
sys.argv = ["clearhead", "--version"]
cli.leave = lambda code: print(os.environ.get("GOMP_SPINCOUNT"))
cli.run()
"""


@pytest.mark.parametrize(
    ("told", "spins"),
    [({}, "1000"), ({"GOMP_SPINCOUNT": "7"}, "7"), ({"OMP_WAIT_POLICY": "active"}, "None")],
)
def test_threads_of_a_command_sleep_soon_unless_told_otherwise(told: dict[str, str], spins: str) -> None:
    bare = {name: value for name, value in os.environ.items() if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
    said = subprocess.run([sys.executable, "-c", ASKED], env=bare | told, capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == spins
