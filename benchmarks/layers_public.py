"""`clearhead layers` on public files as they were downloaded, beside torch itself: what it reads in full, and what is false.

The files are not part of the project: they are strangers'. Give a folder with `manifest.json`, a list of
{"file", "input": [...], "nets": [...], "missing": [...], "held": true | false} and perhaps "net", and the files beside it.
Run: .venv/bin/python benchmarks/layers_public.py FOLDER [--fresh] [--minutes 9]. One run goes through every file in every
way and writes benchmarks/layers_public.md; outcomes are kept in FOLDER/outcomes.jsonl as they come, so that a run that was
stopped, or ran out of its minutes, goes on where it was. `--fresh` begins again.

"in full and right": every layer of torch that ran is shown, in order, with torch's shape and torch's weights, the shape of the
whole and the total are torch's, and the net is an outermost one of the file. "partial": something is said to be unknown.
"refused": one line and no table. "false": a number, a break or a net that torch contradicts.
"""

import argparse
import json
import math
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch_truth
from machine import described

from clearhead.errors import ClearheadError
from clearhead.layers import describe

HERE = Path(__file__).parent
SECONDS = 120


def in_child(function: Any, *values: Any) -> Any:
    """The result of a function in a forked process, within a time limit; None where it does not end."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(SECONDS)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            found = function(*values)
        except BaseException as error:
            found = {"fault": f"{type(error).__name__}: {error}"[:300]}
        with os.fdopen(writer, "w") as pipe:
            json.dump(found, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def read(path: Path, wanted: list[str], run: bool, net: str | None) -> dict[str, Any]:
    """What `clearhead layers` says, or the line with which it refuses."""
    runner = None
    if run:
        from clearhead.tracing import trace

        runner = trace
    try:
        said: dict[str, Any] = json.loads(describe(str(path), wanted, net=net, json=True, run=runner))
        return said
    except ClearheadError as error:
        return {"refused": str(error)}


def judge(said: dict[str, Any], truth: dict[str, Any], nets: list[str]) -> tuple[str, str]:
    """The verdict on one file, and why."""
    if "refused" in said:
        return "refused", said["refused"]
    if "fault" in said:
        return "false", f"our own fault: {said['fault']}"
    if truth is None or "roots" not in truth:
        return "unjudged", "torch did not end"
    if "net" not in truth:
        return ("partial" if said["unknown"] else "unjudged"), truth.get("error", "")
    if nets and truth["net"] not in nets:
        return "false", f"the wrong net: {truth['net']}, not {', '.join(nets)}"
    if said["break"] is not None:
        broke = "rows" not in truth
        return ("breaks" if broke else "false"), f"BREAKS on line {said['break']['line']}: {said['break']['why']}"
    wrong = first_wrong(said, truth)
    if wrong:
        return "false", wrong
    if said["unknown"]:
        return "partial", said["unknown"][0]["why"]
    if said["weights"] is None:
        return "partial", f"weights at least {said['at_least']}: {'; '.join(said['notes'])}"
    if "rows" not in truth:
        return "false", f"shown as running, and torch says {truth.get('error')}"
    return "in full and right", ""


def first_wrong(said: dict[str, Any], truth: dict[str, Any]) -> str:
    """The first shown number that torch contradicts, or nothing."""
    ran = truth.get("rows", [])
    alone = any(path == "" for path, _, _ in ran)  # the net is a single layer; else a layer without a path is made in a forward
    shown = [line for line in said["layers"] if line["path"] or (alone and line["kind"] in KINDS)]
    place = 0
    for line in shown:
        if line["shape"] is None or line["kind"] == "Parameter":
            continue
        while place < len(ran) and ran[place][0] != line["path"] and said["unknown"]:
            place += 1  # after something unknown, layers may be left out
        if place >= len(ran):
            return f"{line['name']} is shown, and torch ran only {len(ran)} layers" if ran else ""
        path, kind, shape = ran[place]
        got = [torch_truth.number(size) for size in line["shape"]]
        if path != line["path"] or (shape is not None and shape != got):
            return f"{line['name']} is {got}, and torch has {path} {kind} {shape}"
        if line["weights"] and truth["own"].get(path) is not None and line["weights"] != truth["own"][path]:
            return f"{line['name']} weighs {line['weights']}, and torch says {truth['own'][path]}"
        place += 1
    if not said["unknown"] and ran and place < len(ran):
        return f"torch ran {ran[place]} too"
    if said["weights"] is not None and said["weights"] != truth["weights"]:
        return f"in all {said['weights']}, and torch says {truth['weights']}"
    if said["weights"] is None and said["at_least"] > truth["weights"]:
        return f"at least {said['at_least']}, and torch says {truth['weights']}"
    if (
        said["output"] is not None
        and "output" in truth
        and numbers(said["output"]) != truth["output"]
        and known(said["output"])
    ):
        return f"the output is {numbers(said['output'])}, and torch says {truth['output']}"
    return ""


def known(shape: Any) -> bool:
    return all(known(each) for each in shape["several"]) if isinstance(shape, dict) else shape is not None


def numbers(shape: Any) -> Any:
    if isinstance(shape, dict):
        return {"several": [numbers(each) for each in shape["several"]]}
    return None if shape is None else [torch_truth.number(size) for size in shape]


KINDS = {name for name in dir(torch.nn) if name[:1].isupper()}


@dataclass(frozen=True)
class Way:
    """One way of reading: which files it is for, and what is said of it above its table."""

    name: str
    title: str
    words: str
    takes: Callable[[dict[str, Any]], bool]
    run: bool = False


WAYS = (
    Way(
        "read",
        "As downloaded, only `--input` given",
        "Nothing is run; no net is named.",
        lambda entry: "net" not in entry,
    ),
    Way(
        "named",
        "Files that do not say their own arguments",
        "The constructor's arguments stand nowhere in the file: a person must say them, and `--net` does here. "
        "Not in the share above.",
        lambda entry: "net" in entry,
    ),
    Way(
        "run",
        "With `--run`",
        "Every file, of both lists, whose imports are installed, run on tensors without numbers.",
        lambda entry: not entry["missing"],
        run=True,
    ),
)
Outcome = tuple[dict[str, Any], str, str]


def outcome(folder: Path, entry: dict[str, Any], way: Way) -> tuple[str, str]:
    """The verdict on one file, and why."""
    path = folder / entry["file"]
    said = in_child(read, path, entry["input"], way.run, entry.get("net")) or {"fault": f"more than {SECONDS} s"}
    truth = {"roots": []} if "refused" in said or "fault" in said else in_child(torch_truth.check, str(path), said)
    return judge(said, truth, entry["nets"])


def table(found: list[Outcome]) -> str:
    rows = ["| file | input | outcome | why |", "| --- | --- | --- | --- |"]
    for entry, verdict, why in sorted(found, key=lambda each: each[0]["file"]):
        author, _, name = entry["file"].partition("/")
        net = f" `{entry['net']}`" if "net" in entry else ""
        cells = [f"{author.replace('+', '/')}: {name}", " ".join(entry["input"]) + net, verdict, why[:160].replace("|", "\\|")]
        rows.append("| " + " | ".join(" ".join(cell.split()) for cell in cells) + " |")
    return "\n".join(rows)


def figures(found: list[Outcome]) -> str:
    counts = Counter(verdict for _, verdict, _ in found)
    judged = sum(count for verdict, count in counts.items() if verdict != "unjudged")
    full = counts["in full and right"] + counts["breaks"]
    authors = len({entry["file"].partition("/")[0].partition("+")[0] for entry, _, _ in found})
    listed = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    share = f"{full} of {judged} judged ({100 * full / max(judged, 1):.0f} %) in full and right"
    return f"{len(found)} files by {authors} authors: {listed}; {share}."


def page(done: dict[str, list[Outcome]]) -> str:
    about = (__doc__ or "").partition("\n\n")[0]
    words = (__doc__ or "").rpartition("\n\n")[2].strip()
    text = f"# `clearhead layers` on public files\n\n{described()}\n\n{about}\n\n{words}\n"
    for way in WAYS:
        found = done.get(way.name, [])
        text += f"\n## {way.title}\n\n{way.words}\n\n{figures(found)}\n"
        if way.name == "read":
            for held, said in ((False, "looked at while it was written"), (True, "kept back until the end")):
                text += f"\nFiles {said}: {figures([each for each in found if bool(each[0]['held']) == held])}\n"
        text += f"\n{table(found)}\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description="clearhead layers on public files")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--only", default="", help="files whose name has this")
    told = parser.parse_args()
    entries: list[dict[str, Any]] = json.loads((told.folder / "manifest.json").read_text(encoding="utf-8"))
    kept = told.folder / "outcomes.jsonl"
    if told.fresh:
        kept.unlink(missing_ok=True)
    known = {}
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else ():
        way, file, wanted, verdict, why = json.loads(line)
        known[way, file, tuple(wanted)] = (verdict, why)
    torch.set_num_threads(1)
    started, done = time.monotonic(), dict[str, list[Outcome]]()
    for way in WAYS:
        for entry in filter(way.takes, entries):
            key = way.name, entry["file"], (*entry["input"], entry.get("net", ""))
            if told.only not in entry["file"]:
                continue
            if key not in known:
                if time.monotonic() - started > 60 * told.minutes:
                    sys.exit("The minutes are over; the same command goes on from here.")
                known[key] = outcome(told.folder, entry, way)
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([*key, *known[key]]) + "\n")
                print(f"{way.name:6} {known[key][0]:18} {entry['file'][:70]:70} {known[key][1][:150]}", flush=True)
            done.setdefault(way.name, []).append((entry, *known[key]))
        print(way.title, figures(done.get(way.name, [])))
    if not told.only:
        (HERE / "layers_public.md").write_text(page(done), encoding="utf-8")


if __name__ == "__main__":
    main()
