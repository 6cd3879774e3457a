"""Realistic breaks in public files: one number of one call is changed so that torch breaks; is it located, is it mended?

Run: .venv/bin/python benchmarks/layers_breaks.py FOLDER [COUNT], with the folder of layers_public.py. The result goes to
benchmarks/layers_breaks.md. A break is "located" where the line that was changed is the line named, or one of the lines
that are said to have brought the size; or where the line named holds the partner that no longer fits. It is "repaired" where
the mended source runs in torch.
"""

import ast
import json
import random
import sys
import tempfile
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


def runs(text: str, said: dict[str, Any]) -> bool | None:
    """Whether torch runs a source; None where its net cannot be made."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False, encoding="utf-8") as file:
        file.write(text)
    found = in_child(torch_truth.check, file.name, said)
    Path(file.name).unlink()
    if found is None or "fault" in found:
        return None
    return "rows" in found


def main() -> None:
    folder, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    entries = [
        each
        for each in json.loads((folder / "manifest.json").read_text())
        if each["file"].endswith(".py") and not each.get("net")
    ]
    dice, rows, torch_threads = random.Random(5), list[tuple[str, ...]](), torch.set_num_threads(1)
    assert torch_threads is None
    dice.shuffle(entries)
    located = repaired = 0
    for entry in entries:
        if len(rows) >= count:
            break
        text = (folder / entry["file"]).read_text(encoding="utf-8", errors="replace")
        for line, changed in changes(text, dice)[:3]:
            found = in_child(examine, changed, entry["input"])
            if not found or "refused" in found or "fault" in found:
                print("??", entry["file"], found)
                continue
            if runs(changed, found["said"]) is not False:
                continue  # torch takes the change: it is no break
            mended = bool(found["repairs"]) and runs(found["mended"], found["said"]) is True
            near = line in found["places"] or line in found["lines"]
            located += bool(found["places"])
            repaired += mended
            rows.append(
                (entry["file"], str(line), found["why"][:110], "; ".join(found["repairs"])[:90], "yes" if mended else "no")
            )
            print(
                "at the change" if near else "elsewhere" if found["places"] else "NOT LOCATED",
                mended,
                entry["file"],
                line,
                found["places"],
                found["why"][:90],
                flush=True,
            )
            break
    total = max(len(rows), 1)
    head = f"# Breaks in public files\n\n{described()}\n\n{(__doc__ or '').split('Run:')[0].strip()}\n\n"
    shares = f"{located} located ({100 * located / total:.0f} %), {repaired} repaired ({100 * repaired / total:.0f} %)"
    head += f"{len(rows)} breaks: {shares} so that torch runs.\n\n"
    head += "| file | line changed | said | repair | torch runs |\n| --- | --- | --- | --- | --- |\n"
    body = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
    print(head)
    (HERE / "layers_breaks.md").write_text(head + body + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
