"""The numerical core holds on processors that this machine does not have: its tests again, in children that imitate them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CORE = ["test_attention.py", "test_heads.py", "test_masks.py"]
PROCESSORS = {
    "no vector instructions": {"ATEN_CPU_CAPABILITY": "default", "MKL_ENABLE_INSTRUCTIONS": "SSE4_2", "OMP_NUM_THREADS": "1"},
    "no vector instructions, two threads": {"ATEN_CPU_CAPABILITY": "default", "OMP_NUM_THREADS": "2"},
    "AVX2": {"ATEN_CPU_CAPABILITY": "avx2", "OMP_NUM_THREADS": "1"},
    "AVX2, two threads": {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "OMP_NUM_THREADS": "2"},
}


def child(arguments: list[str], processor: dict[str, str]) -> subprocess.CompletedProcess[str]:
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    outside |= {"HYPOTHESIS_PROFILE": "children", **processor}
    return subprocess.run(
        [sys.executable, *arguments], cwd=HERE.parent, env=outside, capture_output=True, text=True, check=False
    )


SLOW = ("no vector instructions, two threads", "AVX2")  # the two others differ in both


@pytest.mark.parametrize(
    "processor",
    [pytest.param(how, id=name, marks=[pytest.mark.slow] * (name in SLOW)) for name, how in PROCESSORS.items()],
)
def test_the_core_holds_on(processor: dict[str, str]) -> None:
    done = child(["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *(f"tests/{name}" for name in CORE)], processor)
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize(("processor", "capability"), [("no vector instructions", "DEFAULT"), ("AVX2", "AVX2")])
def test_a_child_believes_in_its_processor(processor: str, capability: str) -> None:
    """Otherwise the tests above would only repeat this machine's own."""
    done = child(["-c", "import torch; print(torch.backends.cpu.get_cpu_capability())"], PROCESSORS[processor])
    assert done.stdout.strip() in {capability, "DEFAULT"}, done.stderr  # a machine without AVX2 cannot imitate it
