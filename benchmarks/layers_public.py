"""`clearhead layers` on public files as they were downloaded, beside torch itself: what it reads in full, and what is false.

The files are not part of the project: they are strangers'. Give a folder with `manifest.json`, a list of
{"file", "input": [...], "nets": [...], "held": true | false}, and the files beside it.
Run: .venv/bin/python benchmarks/layers_public.py FOLDER [--held | --seen]; the result goes to benchmarks/layers_public.md.

"in full and right": every layer of torch that ran is shown, in order, with torch's shape and torch's weights, the shape of the
whole and the total are torch's, and the net is an outermost one of the file. "partial": something is said to be unknown.
"refused": one line and no table. "false": a number, a break or a net that torch contradicts.
"""

import json
import os
import signal
import sys
from collections import Counter
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


def measure(folder: Path, entries: list[dict[str, Any]], run: bool) -> list[tuple[dict[str, Any], str, str]]:
    """Every file with its verdict."""
    found = []
    for entry in entries:
        path = folder / entry["file"]
        said = in_child(read, path, entry["input"], run, entry.get("net")) or {"fault": f"more than {SECONDS} s"}
        truth = {"roots": []} if "refused" in said or "fault" in said else in_child(torch_truth.check, str(path), said)
        verdict, why = judge(said, truth, entry["nets"])
        found.append((entry, verdict, why))
        print(f"{verdict:18} {entry['file'][:70]:70} {' '.join(entry['input']):16} {why[:150]}", flush=True)
    return found


def table(found: list[tuple[dict[str, Any], str, str]]) -> str:
    rows = ["| file | input | outcome | why |", "| --- | --- | --- | --- |"]
    for entry, verdict, why in sorted(found, key=lambda each: each[0]["file"]):
        author, _, name = entry["file"].partition("/")
        cells = [f"{author.replace('+', '/')}: {name}", " ".join(entry["input"]), verdict, why[:160].replace("|", "\\|")]
        rows.append("| " + " | ".join(" ".join(cell.split()) for cell in cells) + " |")
    return "\n".join(rows)


def figures(found: list[tuple[dict[str, Any], str, str]]) -> str:
    counts = Counter(verdict for _, verdict, _ in found)
    judged = sum(count for verdict, count in counts.items() if verdict != "unjudged")
    full = counts["in full and right"] + counts["breaks"]
    listed = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    return f"{len(found)} files: {listed}; {full} of {judged} ({100 * full / max(judged, 1):.0f} %) in full and right."


def main() -> None:
    folder = Path(sys.argv[1])
    run = "--run" in sys.argv
    entries: list[dict[str, Any]] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    entries = [each for each in entries if ("net" in each) == ("--named" in sys.argv)]
    if run:
        entries = [each for each in entries if not each["missing"]]  # what it imports is installed
    if "--seen" in sys.argv or "--held" in sys.argv:
        entries = [each for each in entries if each["held"] == ("--held" in sys.argv)]
    torch.set_num_threads(1)
    found = measure(folder, entries, run)
    print(figures(found))
    if "--write" in sys.argv:
        text = f"# `clearhead layers` on public files\n\n{described()}\n\n{(__doc__ or '').split('Run:')[0].strip()}\n"
        for title, held in (("Files looked at while it was written", False), ("Files kept back until the end", True)):
            part = [each for each in found if each[0]["held"] == held]
            text += f"\n## {title}\n\n{figures(part)}\n\n{table(part)}\n"
        (HERE / ("layers_public_run.md" if run else "layers_public.md")).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
