"""`./run.sh` with the course's eleven names."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PEOPLE = {"Ada Lind": "Marrow", "Bo Quill": "Tarn", "Cora Fenn": "Marrow", "Dag Moor": "Voss", "Edda Rusk": "Tarn"}


def run_sh(name: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    told = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
    told.pop("CLEARHEAD_DATA", None) if "CLEARHEAD_DATA" not in environment else None
    return subprocess.run(
        [str(ROOT / "run.sh"), *name.split()], cwd=folder, env=told, capture_output=True, text=True, check=False
    )


pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="run.sh needs bash")


@pytest.mark.parametrize("name", ["", "vanilla", "perceiver_dance"])
def test_other_names_are_refused_with_the_list(name: str, tmp_path: Path) -> None:
    done = run_sh(name, tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "perceiver_eval_test_with_pretrain" in done.stderr


@pytest.fixture
def small(tmp_path: Path) -> dict[str, str]:
    """Five people and a recipe of a few steps."""
    folder = tmp_path / "corpora" / "birthplaces"
    folder.mkdir(parents=True)
    asked = [f"Where was {who} born?\t{place}\n" for who, place in PEOPLE.items()]
    (folder / "wiki.txt").write_text("".join(f"{who}. {who} was born in {place}.\n" for who, place in PEOPLE.items()))
    (folder / "birth_places_train.tsv").write_text("".join(asked[:3]))
    (folder / "birth_dev.tsv").write_text(asked[3])
    (folder / "birth_test_inputs.tsv").write_text(asked[4].split("\t")[0] + "\n")
    text = (ROOT / "src/clearhead/recipes/course.toml").read_text(encoding="utf-8")
    for epochs in (650, 75, 10):
        text = text.replace(f"epochs = {epochs}\n", "epochs = 2\n")
    recipe = tmp_path / "small.toml"
    recipe.write_text(text.replace('style = "course"', "layers = 1\nwidth = 16"), encoding="utf-8")
    return {"CLEARHEAD_DATA": str(tmp_path / "corpora"), "RECIPE": str(recipe)}


@pytest.mark.slow
def test_the_seven_vanilla_commands_in_the_courses_order(tmp_path: Path, small: dict[str, str]) -> None:
    names = [
        *("finetune_without_pretrain", "eval_dev_without_pretrain", "eval_test_without_pretrain", "pretrain"),
        *("finetune_with_pretrain", "eval_dev_with_pretrain", "eval_test_with_pretrain"),
    ]
    for name in names:
        done = run_sh(f"vanilla_{name}", tmp_path, **small)
        assert done.returncode == 0, done.stderr
    for file in ("vanilla.nopretrain.dev", "vanilla.nopretrain.test", "vanilla.pretrain.dev", "vanilla.pretrain.test"):
        assert len((tmp_path / f"{file}.predictions").read_text().split("\n")) == 1 + 1
    again = run_sh("vanilla_pretrain", tmp_path, **small)
    assert "going on from" in again.stderr
