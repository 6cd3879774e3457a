"""The lab as a whole: the table, the shape, the command."""

import json
import math
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearhead.lab
from clearhead.cli import main
from clearhead.lab import CLAIMS, Finding, Interval, Trial, claim_named, rerun
from clearhead.lab.claims import ROOMS
from clearhead.lab.intervals import mean, share


def test_every_claim_of_the_table_has_a_file_and_every_claim_file_stands_in_the_table() -> None:
    folder = Path(clearhead.lab.__file__).parent
    files = {path.stem for room in ROOMS for path in (folder / room).glob("*.py") if "def experiment(" in path.read_text()}
    assert files == {name.replace("-", "_") for name in CLAIMS}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_is_one_sentence_in_a_file_of_readable_length(name: str) -> None:
    claim = claim_named(name)
    path = Path(sys.modules[claim.experiment.__module__].__file__ or "")
    assert claim.sentence.endswith(".")
    assert len(claim.sentence) <= 128
    assert 60 <= len(path.read_text().splitlines()) <= 120


def test_what_claims_share_is_no_longer_than_a_claim() -> None:
    folder = Path(clearhead.lab.__file__).parent
    long = {path.name: lines for path in folder.rglob("*.py") if (lines := len(path.read_text().splitlines())) > 120}
    assert long == {}


def test_a_claim_is_one_file_and_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    module = ModuleType("clearhead.lab.attention.blue_sky")
    module.QUICK, module.experiment = "a smaller sky", lambda trial: Finding({"nm": 450}, {"it is": True}, "<svg/>")  # type: ignore
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(ROOMS["attention"], "blue-sky", "The sky is blue.")
    report = told(capsys, "blue-sky", "--quick")
    assert report.startswith("blue-sky: The sky is blue.")
    assert "verdict: holds\n" in report
    assert "quick: a smaller sky" in report


@given(st.lists(st.booleans()), st.text(min_size=1))
def test_a_verdict_is_one_of_three_and_one_failed_part_is_enough(parts: list[bool], when: str) -> None:
    held = {str(place): part for place, part in enumerate(parts)}
    plain, conditional = (Finding({}, held, "", when=words).verdict for words in ("", when))
    assert plain == ("holds" if all(parts) else "does not hold")
    assert conditional == (f"holds when {when}" if all(parts) else "does not hold")


def test_the_interval_of_a_share_holds_the_truth_nineteen_times_of_twenty() -> None:
    n, truth = 60, 0.9
    held = sum(math.comb(n, k) * truth**k * (1 - truth) ** (n - k) for k in range(n + 1) if inside(share(k, n), truth))
    assert 0.93 < held < 0.98


def inside(found: Interval, truth: float) -> bool:
    return found.low <= truth <= found.high


def test_the_same_seed_gives_the_same_numbers_and_another_one_others() -> None:
    numbers = [rerun(claim_named("copying"), Trial(seed=seed, quick=True)).json()["numbers"] for seed in (3, 3, 4)]
    assert numbers[0] == numbers[1] != numbers[2]


def test_the_same_numbers_give_the_same_picture() -> None:
    pictures = [rerun(claim_named("two-heads"), Trial(seed=3, quick=True)).finding.picture for _ in range(2)]
    assert pictures[0] == pictures[1]


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["lab", *arguments]) == 0
    return capsys.readouterr().out


def test_the_list_has_a_line_for_each_claim(capsys: pytest.CaptureFixture[str]) -> None:
    assert [line.split()[0] for line in told(capsys).splitlines()] == list(CLAIMS)


def test_the_list_needs_no_torch() -> None:
    script = "import sys; from clearhead.cli import main; main(['lab']); main(['lab', '--json']); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_json_is_as_the_contract_says(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = json.loads(told(capsys, "two-heads", "--quick", "--json"))
    assert list(found) == ["name", "claim", "verdict", "numbers", "seconds"]
    assert (found["name"], found["claim"]) == ("two-heads", CLAIMS["two-heads"])
    assert found["verdict"].startswith("holds when ")
    assert found["numbers"]["two heads"].keys() == {"value", "low", "high"}


def test_a_report_says_the_claim_its_numbers_and_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    report = told(capsys, "identical-heads")
    assert CLAIMS["identical-heads"] in " ".join(report.split())
    assert "10.211" in report
    assert "verdict: holds when W_O is stacked twice and halved" in report


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_the_picture_goes_where_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str) -> None:
    told(capsys, "temperature", "--out", str(tmp_path / f"t{suffix}"))
    assert (tmp_path / f"t{suffix}").read_bytes()[:4] in (b"<svg", b"\x89PNG")


def test_all_of_them_go_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr("clearhead.lab.table.CLAIMS", {name: CLAIMS[name] for name in ("copying", "temperature")})
    report = told(capsys, "--quick", "--out", str(tmp_path / "all"))
    assert [path.name for path in sorted((tmp_path / "all").iterdir())] == ["copying.svg", "temperature.svg"]
    assert report.splitlines()[-1].startswith("2 claims in ")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["scalling"], "did you mean scaling?"),
        (["zzz"], "clearhead lab lists"),
        (["scaling", "--out", "x.txt"], ".svg or .png"),
        (["scaling", "--out", "nowhere/x.svg"], "no folder nowhere"),
        (["--out", "x.svg"], "name a claim"),
        (["scaling", "--seed", "-1"], "--seed"),
    ],
)
def test_nonsense_is_one_line_and_exit_code_2(arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", *arguments]) == 2
    complaint = capsys.readouterr().err
    assert len(complaint.splitlines()) == 1
    assert word in complaint


def test_the_interval_of_a_mean_of_few_holds_the_truth_nineteen_times_of_twenty() -> None:
    random = Random(0)
    samples = [[random.gauss(5, 2) for _ in range(4)] for _ in range(4000)]
    assert sum(inside(mean(sample), 5) for sample in samples) / 4000 == pytest.approx(0.95, abs=0.012)
