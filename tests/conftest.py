"""What every test shares: where the real data is, and one thread a process so that two cores are shared fairly."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("OMP_NUM_THREADS", "1")

# The gate draws the same examples every time, so that it says the same of the same code; `make test-all` explores.
settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.register_profile("children", derandomize=True, deadline=None, max_examples=20)  # the same tests many times over
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real corpora; the test says that it was skipped where CLEARHEAD_DATA does not point at one."""
    where = os.environ.get("CLEARHEAD_DATA")
    if not where or not Path(where).is_dir():
        pytest.skip("CLEARHEAD_DATA does not point at a folder of real corpora")
    return Path(where)
