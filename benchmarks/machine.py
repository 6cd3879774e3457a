"""The line under every benchmark's title: when it was measured, and on what."""

import os
import platform
from datetime import date


def described() -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    counted = f"{cores} core{'' if cores == 1 else 's'}"
    python = platform.python_version()
    return f"Measured {date.today()}: {counted}, {platform.machine()}, {platform.system()}, Python {python}."
