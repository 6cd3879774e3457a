"""Realistic breaks in public files: one number of one call is changed so that torch breaks; is it located, is it mended?

Run: .venv/bin/python benchmarks/layers_breaks.py FOLDER [COUNT], with the folder of layers_public.py. The result goes to
benchmarks/layers_breaks.md; every break is kept in FOLDER/breaks.jsonl as it is judged, and a run that was stopped goes on.

"at the change": a line that is named (the layer's, its call's, or one of the calls said to have brought the size) is the line
that was changed. "at its partner": the line named is that of the layer in which torch itself breaks, which no longer fits what
was changed elsewhere; the source alone cannot say which of the two was meant. Both count as located, and both are given; a
break named anywhere else, or not at all, is not located. "repaired": the mended source runs in torch.
"""

import ast
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import torch
import torch_truth
from layers_public import in_child
from machine import described

from clearhead.errors import ClearheadError
from clearhead.layers import read_inputs
from clearhead.layers.repairs.repair import mend, read

HERE = Path(__file__).parent
NUMBERS = (1, -1, 2)  # doubled, halved, one more


def changes(text: str, dice: random.Random) -> list[tuple[int, str]]:
    """Sources with one whole number of one constructor changed, each with the line of the change."""
    tree, lines, found = ast.parse(text), text.split("\n"), []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or node.lineno != node.end_lineno:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        sized = name in (
            "Linear",
            "Conv2d",
            "Conv1d",
            "BatchNorm2d",
            "BatchNorm1d",
            "ConvTranspose2d",
            "LayerNorm",
            "LSTM",
            "GRU",
        )
        block = name[:1].isupper() and not name.endswith(("Loss", "Pool2d", "Error")) and name not in ("Dropout", "Compose")
        own = not isinstance(node.func, ast.Attribute) and block
        for argument in node.args[:2] if sized or own else ():
            if isinstance(argument, ast.Constant) and isinstance(argument.value, int) and argument.value > 2:
                line = lines[node.lineno - 1]
                value = dice.choice([argument.value * 2, argument.value // 2, argument.value + 3])
                encoded = line.encode()
                changed = encoded[: argument.col_offset] + str(value).encode() + encoded[argument.end_col_offset :]
                found.append((node.lineno, "\n".join([*lines[: node.lineno - 1], changed.decode(), *lines[node.lineno :]])))
    dice.shuffle(found)
    return found


def examine(text: str, wanted: list[str]) -> dict[str, Any]:
    """What is said of a broken source, and the mended one."""
    try:
        reading = mend(read(text, read_inputs(wanted)))
    except ClearheadError as error:
        return {"refused": str(error)}
    broken = reading.analysis.broken
    places = (
        []
        if broken is None
        else [broken.line, getattr(broken.at.call, "lineno", 0), *(each["line"] for each in broken.made_at)]
    )
    return {
        "why": "" if broken is None else broken.why,
        "places": places,
        "repairs": [each.after.strip() for each in reading.repairs],
        "lines": [each.line for each in reading.repairs],
        "mended": reading.mended,
        "said": {
            "net": reading.analysis.net.name,
            "call": reading.analysis.net.call,
            "input": [
                {"name": e.name, "shape": ["N" if s > 2**40 else s for s in e.shape], "kind": "int" if e.whole else "float"}
                for e in reading.analysis.inputs
            ],
        },
    }


def breaking_line(text: str, said: dict[str, Any]) -> int:
    """The line of the call in whose layer torch itself breaks, by the traceback; 0 where there is none."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False, encoding="utf-8") as file:
        file.write(text)
    found = in_child(torch_truth.broken_line, file.name, said)
    Path(file.name).unlink()
    return found if isinstance(found, int) else 0


def runs(text: str, said: dict[str, Any]) -> bool | None:
    """Whether torch runs a source; None where its net cannot be made."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False, encoding="utf-8") as file:
        file.write(text)
    found = in_child(torch_truth.check, file.name, said)
    Path(file.name).unlink()
    if found is None or "fault" in found:
        return None
    return "rows" in found


def judged(entry: dict[str, Any], line: int, changed: str) -> dict[str, Any] | None:
    """One break: where it was named and whether it was mended; None where torch takes the change, so that it is none."""
    found = in_child(examine, changed, entry["input"])
    if not found or "refused" in found or "fault" in found:
        return None
    if runs(changed, found["said"]) is not False:
        return None
    mended = bool(found["repairs"]) and runs(found["mended"], found["said"]) is True
    place = "not named"
    if found["places"]:
        partner = breaking_line(changed, found["said"])
        place = "at the change" if line in found["places"] else "at its partner" if partner in found["places"] else "elsewhere"
    return {
        "file": entry["file"], "line": line, "place": place, "why": found["why"][:110],
        "repair": "; ".join(found["repairs"])[:90], "runs": mended,
    }  # fmt: skip


def main() -> None:
    folder, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    entries = [
        each
        for each in json.loads((folder / "manifest.json").read_text())
        if each["file"].endswith(".py") and not each.get("net")
    ]
    dice, kept = random.Random(5), folder / "breaks.jsonl"
    torch.set_num_threads(1)
    dice.shuffle(entries)
    known = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()] if kept.exists() else []
    tried = {each["tried"] for each in known}
    rows = [each for each in known if "place" in each]
    for entry in entries:
        if len(rows) >= count:
            break
        text = (folder / entry["file"]).read_text(encoding="utf-8", errors="replace")
        made = changes(text, random.Random(entry["file"]))[:3]
        if entry["file"] in tried:
            continue
        found = next(filter(None, (judged(entry, line, changed) for line, changed in made)), None)
        with kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"tried": entry["file"], **(found or {})}) + "\n")
        if found:
            rows.append(found)
            print(found["place"], found["runs"], found["file"], found["line"], found["why"][:90], flush=True)
    total = max(len(rows), 1)
    places = Counter(row["place"] for row in rows)
    located, repaired = places["at the change"] + places["at its partner"], sum(row["runs"] for row in rows)
    head = f"# Breaks in public files\n\n{described()}\n\n{(__doc__ or '').split('Run:')[0].strip()}\n\n"
    head += f"{(__doc__ or '').rpartition(chr(10) * 2)[2].strip()}\n\n"
    shares = f"{located} located ({100 * located / total:.0f} %: {places['at the change']} at the change, "
    shares += f"{places['at its partner']} at its partner), {repaired} repaired ({100 * repaired / total:.0f} %)"
    head += f"{len(rows)} breaks: {shares} so that torch runs.\n\n"
    head += "| file | line changed | named | said | repair | torch runs |\n| --- | --- | --- | --- | --- | --- |\n"
    cells = [
        [row["file"], str(row["line"]), row["place"], row["why"], row["repair"], "yes" if row["runs"] else "no"] for row in rows
    ]
    body = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in cells)
    print(head)
    (HERE / "layers_breaks.md").write_text(head + body + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
