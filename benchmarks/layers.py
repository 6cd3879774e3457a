"""`clearhead layers` beside torchinfo on twenty nets, ten of them broken: what each shows. And a thousand layers.

torchinfo has to run the source, so each net is executed here; `clearhead layers` reads the same file as text.
Run: .venv/bin/python benchmarks/layers.py; the result goes to benchmarks/layers.md.
"""

import contextlib
import io
import json
import re
import statistics
import time
import warnings
from pathlib import Path
from typing import Any

import torch
import torchinfo
from machine import described
from torch import nn

from clearhead.layers import describe

HERE = Path(__file__).parent
ROUNDS = 7
HEAD = """# `clearhead layers` beside torchinfo

{measured} torch {torch}, torchinfo {torchinfo}.

Twenty nets (`benchmarks/nets/`), the last ten broken. torchinfo gets each net by running its file, with an input of the
right shape and kind made for it by hand; `clearhead layers` gets the text of the file and `--input`.

| net | torchinfo: layers, weights | at the break | clearhead: layers, weights | at the break | its repair, checked again |
| --- | --- | --- | --- | --- | --- |
"""
BEYOND = """
## What each shows

| | torchinfo | clearhead layers |
| --- | --- | --- |
| reads the source without running it (and without torch) | no | yes |
| output shape and weights of every layer | yes | yes |
| the arithmetic behind each shape and each count | no | yes |
| operations between layers (`view`, `cat`, `+`, `F.relu`) | no | yes |
| receptive field | no | yes |
| multiply-adds | yes (with biases) | yes (products only) |
| size in memory, kernel sizes as columns | yes | no |
| any Python in `forward` (loops on values, branches) | yes, it runs it | no: says what it does not know, and stops there |
| layers of other libraries | yes, it runs them | no: says so |
| a table up to the break | no: names of the layers that ran | yes, {tables} of {broken} |
| the line of the break, and why in numbers | torch's own message and traceback | yes, {lines} of {broken} |
| a repair, shown as a diff and checked again | no | yes, {repaired} of {broken} |
"""


def input_of(source: str) -> tuple[str, Any]:
    """`--input` of a net, and a tensor for torchinfo."""
    found = re.match(r"# input: ([\dx]+)( \(token ids\))?", source)
    assert found is not None
    sizes = [int(size) for size in found[1].split("x")]
    kind = torch.long if found[2] else torch.float32
    return found[1], torch.zeros(2, *sizes, dtype=kind)


def by_torchinfo(source: str, example: Any) -> tuple[str, str]:
    """Layers and weights, or the error that stands in their place."""
    names: dict[str, Any] = {"__name__": "net"}
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            exec(compile(source, "net.py", "exec"), names)
            nets = [each for each in names.values() if isinstance(each, nn.Module)]
            kinds = [each for each in names.values() if isinstance(each, type) and issubclass(each, nn.Module)]
            net = nets[-1] if nets else kinds[-1]()
            summary = torchinfo.summary(net, input_data=example, verbose=0)
    except Exception as error:  # whatever the net raises is what its user sees
        cause = error.__cause__ or error
        words = " ".join(str(cause).split())
        ran = re.search(r"Executed layers up to: \[(.*)\]", str(error), re.DOTALL)
        reached = f"; {len(ran[1].split(','))} layers ran, by name" if ran and ran[1] else ""
        return "nothing", f"{type(cause).__name__}: {words[:110]}{'…' if len(words) > 110 else ''}{reached}"
    leaves = sum(1 for each in summary.summary_list if each.is_leaf_layer)
    return f"{leaves}, {summary.total_params:,}", ""


def by_clearhead(path: Path, wanted: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(describe(str(path), wanted, json=True))
    return found


def ending(path: Path, wanted: str) -> str:
    """The last line of --repair: what the mended net does."""
    return describe(str(path), wanted, repair=True).rpartition("\n")[2]


def row(path: Path) -> tuple[str, dict[str, bool]]:
    source = path.read_text(encoding="utf-8")
    wanted, example = input_of(source)
    theirs, error = by_torchinfo(source, example)
    ours = by_clearhead(path, wanted)
    broken = ours["break"]
    mends = ", ".join(f"`{each['after'].strip().splitlines()[0][:60]}`" for each in ours["repairs"])
    runs = "Checked again: it runs" in ending(path, wanted)
    ours_shown = f"{len(ours['layers'])}, {ours['weights']:,}" if broken is None else f"{len(ours['layers'])} up to the break"
    why = f"line {broken['line']}: {broken['why']}" if broken else ""
    facts = {
        "broken": broken is not None,
        "tables": bool(broken and ours["layers"]),
        "lines": broken is not None,
        "repaired": bool(broken) and runs,
        "agree": broken is not None or theirs.split(", ")[1] == f"{ours['weights']:,}",
    }
    mended = f"{mends}: runs" if runs and mends else ("none" if broken else "")
    cells = [path.name.removesuffix(".py.txt"), theirs, error, ours_shown, why, mended]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |", facts


def thousand() -> tuple[float, float]:
    """Median seconds for a thousand layers: ours, and torchinfo on the net already made. In turns."""
    source = "from torch import nn\nnet = nn.Sequential(\n" + "    nn.Linear(64, 64), nn.ReLU(),\n" * 500 + ")\n"
    file = HERE / "nets" / "thousand.tmp"
    file.write_text(source, encoding="utf-8")
    names: dict[str, Any] = {}
    exec(source, names)
    ours, theirs = [], []
    try:
        for _ in range(ROUNDS):
            start = time.perf_counter()
            describe(str(file), "64")
            ours.append(time.perf_counter() - start)
            start = time.perf_counter()
            str(torchinfo.summary(names["net"], input_size=(2, 64), verbose=0))
            theirs.append(time.perf_counter() - start)
    finally:
        file.unlink()
    return statistics.median(ours), statistics.median(theirs)


def main() -> None:
    rows = [row(path) for path in sorted((HERE / "nets").glob("*.py.txt"))]
    totals = {name: sum(facts[name] for _, facts in rows) for name in rows[0][1]}
    ours, theirs = thousand()
    head = HEAD.format(
        measured=described(),
        torch=torch.__version__.partition("+")[0],
        torchinfo=torchinfo.__version__,
    )
    text = head + "\n".join(line for line, _ in rows) + "\n"
    text += f"\nWeights agree on all {sum(not facts['broken'] for _, facts in rows)} nets that run: "
    text += f"{'yes' if totals['agree'] == len(rows) else 'NO'}.\n"
    text += BEYOND.format(**totals)
    text += (
        f"\n## A thousand layers\n\nMedian of {ROUNDS} rounds in turns: `clearhead layers` {ours:.2f} s from the file to the "
        f"table, torchinfo {theirs:.2f} s from the net already made to the table; {theirs / ours:.1f} times ours.\n"
        "\nShown by: `python benchmarks/layers.py`\n"
    )
    (HERE / "layers.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
