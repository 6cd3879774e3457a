"""What needs torch, for the pages of `clearhead serve`: runs, their answers and samples, the lab, and the look inside."""

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from clearhead.desk.counter import LONGEST_COMPLAINT, written
from clearhead.errors import ClearheadError, InputError

LONGEST_TEXT = 2_000
MOST_POINTS = 400  # of a curve
MOST_TOKENS = 400
NOWHERE = "start the server with --runs DIR to say where run folders lie"


def answer(name: str, text: str) -> str:
    """As the desk answers; the question carries where the server's runs lie, which no client can say."""
    try:
        carried = json.loads(text)
        asked = json.loads(carried["asked"] or "{}")
        if name not in FUNCTIONS or not isinstance(asked, dict):
            raise InputError("there is nothing of that name")
        return written({"ok": True, "value": FUNCTIONS[name](carried["runs"], asked)})
    except ClearheadError as error:
        return refused(str(error))
    except json.JSONDecodeError:
        return refused("what is asked is not valid JSON")
    except Exception as error:
        return refused(f"a bug of ours: {type(error).__name__}: {error}", bug=True)


def refused(sentence: str, bug: bool = False) -> str:
    return written({"ok": False, "error": " ".join(sentence.split())[:LONGEST_COMPLAINT], "bug": bug, "at": None})


def text_in(asked: Mapping[str, Any], key: str, most: int = LONGEST_TEXT) -> str:
    text = asked.get(key, "")
    if not isinstance(text, str) or len(text) > most:
        raise InputError(f"{key} must be text of at most {most:,} characters")
    return text


# ---- runs


def runs_of(folder: str) -> dict[str, Path]:
    """The runs that there are, by the name that the page shows: a client can only choose from these."""
    from clearhead.training.folders.run_list import runs_in

    if not folder:
        raise InputError(NOWHERE)
    root = Path(folder)
    return {str(Path(row.folder).relative_to(root)) or ".": Path(row.folder) for row in runs_in(root)}


def run_in(folder: str, asked: Mapping[str, Any]) -> Path:
    known = runs_of(folder)
    name = asked.get("run")
    if not isinstance(name, str) or name not in known:
        raise InputError(f"there is no such run; there are {', '.join(list(known)[:8]) or 'none yet'}")
    return known[name]


def local_runs(folder: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Every run in a line."""
    from clearhead.training.folders.run_list import runs_in

    if not folder:
        raise InputError(NOWHERE)
    root = Path(folder)
    rows = runs_in(root)
    return {"runs": [{**asdict(row), "done": row.done, "name": str(Path(row.folder).relative_to(root))} for row in rows]}


def local_run(folder: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """One run: the curve of its loss as a picture, and its last figures."""
    from clearhead.pictures import curves
    from clearhead.training.folders.run_folder import METRICS
    from clearhead.training.steps.metrics import read_metrics

    records = [one for one in read_metrics(run_in(folder, asked) / METRICS) if isinstance(one.get("loss"), int | float)]
    kept = records[:: max(1, len(records) // MOST_POINTS)]
    points = [(float(one.get("tokens", at)), float(one["loss"])) for at, one in enumerate(kept)]
    drawn = curves({"loss": points}, str(asked.get("run")), "tokens", "loss") if len(points) > 1 else ""
    return {"picture": drawn, "last": records[-1] if records else {}}


def local_sample(folder: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """A text drawn from a run."""
    prompt, seed = text_in(asked, "prompt"), asked.get("seed", 0)
    return {"text": opened(run_in(folder, asked)).sample(prompt, tokens=MOST_TOKENS, seed=seed if isinstance(seed, int) else 0)}


@lru_cache(maxsize=2)
def opened(folder: Path) -> Any:
    from clearhead.run import open_run

    return open_run(folder)


def local_ask(folder: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The answer, how sure, the runners-up, and why: the picture and the sentence that taught it."""
    from clearhead.answering.ask import Terms, ask, reply_json

    run, question = run_in(folder, asked), text_in(asked, "question")
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "why.svg"
        reply = ask(run, question, Terms(), file, lambda line: None)
        picture = file.read_text(encoding="utf-8") if file.exists() else ""
    return {**json.loads(reply_json(reply)), "guess": reply.guess, "why": reply.why, "picture": picture, "notes": reply.notes}


# ---- the look inside


def local_look(folder: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The lens' own page, which the server keeps for a frame; or one head as a problem to be worked."""
    from clearhead.lens import look

    seen = look(run_in(folder, asked), text_in(asked, "text"))
    if head := text_in(asked, "head", 40):
        return {"toml": seen.problem(head)}
    return {"html": seen.page(), "heads": [layer.head_name(at) for layer, at in seen.heads()]}


# ---- the lab


def local_lab(folder: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The claims, or one of them rerun."""
    from clearhead.lab import CLAIMS, Trial, claim_named, rerun

    name = text_in(asked, "name", 80)
    if not name:
        return {"claims": [{"name": known, "claim": sentence} for known, sentence in CLAIMS.items()]}
    report = rerun(claim_named(name), Trial(seed=0, quick=bool(asked.get("quick", True))))
    return {**report.json(), "picture": report.finding.picture}


FUNCTIONS: dict[str, Callable[[str, Mapping[str, Any]], dict[str, Any]]] = {
    "local_runs": local_runs,
    "local_run": local_run,
    "local_sample": local_sample,
    "local_ask": local_ask,
    "local_look": local_look,
    "local_lab": local_lab,
}
"""What the pages of a local server may ask for."""
