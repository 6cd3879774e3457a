"""A training step of both Perceivers against vanilla, as texts grow longer: seconds, activations kept, peak of the process.

All sides have the same layers, width, heads and vocabulary and attend with the fused kernel; m is an eighth of the length.
Seconds: one process, the sides in turns, medians. Activations: the bytes that autograd keeps from forward to backward,
each storage once, weights left out. Peak: how far the largest resident size of a fresh process grows in one step.

Run on a quiet machine: .venv/bin/python benchmarks/perceiver.py [--rounds 3] [--lengths 128,256,…]
The result goes to benchmarks/perceiver.md and perceiver.svg.
"""

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import torch
from machine import described

from clearhead.models import build_model
from clearhead.pictures import Chart, GrowthLine, growth, slope

HERE = Path(__file__).parent
SIDES: dict[str, dict[str, Any]] = {
    "vanilla": {"kind": "gpt"},
    "perceiver-causal": {"kind": "perceiver", "variant": "perceiver-causal"},
    "perceiver": {"kind": "perceiver", "variant": "perceiver"},
}
SIZES = {"layers": 12, "width": 256, "heads": 8, "style": "modern"}
VOCAB, WAIST = 256, 8  # symbols; tokens for each latent
LENGTHS = (128, 256, 512, 1024, 2048, 4096, 8192)
JUDGED, BAR = 4096, 3.0


class Step:
    """A model of one side and a text of one length, ready to learn from it."""

    def __init__(self, side: str, length: int) -> None:
        torch.manual_seed(0)
        waist = {"bottleneck": length // WAIST} if SIDES[side]["kind"] == "perceiver" else {}
        self.model = build_model({**SIZES, "context": length, **SIDES[side], **waist}, VOCAB)
        self.model.train()
        self.optimiser = torch.optim.AdamW(self.model.parameters(), fused=True)
        self.tokens = torch.randint(VOCAB, (1, length + 1))

    def loss(self) -> torch.Tensor:
        return self.model.loss(self.tokens[:, :-1], self.tokens[:, 1:])

    def take(self) -> float:
        """Forward, backward, update; seconds."""
        start = time.perf_counter()
        self.loss().backward()
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        return time.perf_counter() - start

    def kept(self) -> int:
        """Bytes that autograd keeps for backward beside the weights."""
        weights = {weight.untyped_storage().data_ptr() for weight in self.model.parameters()}
        storages: dict[int, torch.UntypedStorage] = {}  # held, so that no address is used twice

        def keep(tensor: torch.Tensor) -> torch.Tensor:
            storage = tensor.untyped_storage()
            if storage.data_ptr() not in weights:
                storages[storage.data_ptr()] = storage
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            loss = self.loss()
        found = sum(storage.nbytes() for storage in storages.values())
        del loss
        return found


def peak(side: str, length: int) -> float:
    """Megabytes by which a fresh process grows in one step at most."""
    command = [sys.executable, __file__, "--peak", side, "--lengths", str(length)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def own_peak(side: str, length: int) -> float:
    """The growth of this process in one step, after a small one has loaded the kernels and made the optimiser's state."""
    Step(side, 4 * WAIST).take()
    step = Step(side, length)
    step.model.loss(step.tokens[:, :8], step.tokens[:, 1:9]).backward()
    step.optimiser.step()
    before = resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak that loading torch has left
    step.take()
    return max(resident("VmHWM") - before, 0.1)


def resident(field: str) -> float:
    """Megabytes of this process: VmRSS now, VmHWM at its peak (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1000
    raise SystemExit(f"/proc/self/status does not tell {field}: the peak is measured on Linux only.")


def measure(length: int, rounds: int) -> dict[str, tuple[float, float, float]]:
    """Seconds, megabytes kept and megabytes at the peak, for each side."""
    steps = {side: Step(side, length) for side in SIDES}
    times: dict[str, list[float]] = {side: [] for side in SIDES}
    for turn in range(rounds + 1):
        for side, step in steps.items():
            took = step.take()
            if turn:  # the first one only warms up
                times[side].append(took)
    kept = {side: step.kept() / 1e6 for side, step in steps.items()}
    del steps
    return {side: (statistics.median(times[side]), kept[side], peak(side, length)) for side in SIDES}


def report(results: dict[int, dict[str, tuple[float, float, float]]], rounds: int) -> str:
    lines = [
        "# Perceiver: a training step as texts grow longer",
        "",
        f"{described()} torch {torch.__version__}, {torch.get_num_threads()} threads; {rounds} rounds, the sides in turns.",
        f"{SIZES['layers']} layers, width {SIZES['width']}, {SIZES['heads']} heads, {SIZES['style']} style, {VOCAB} symbols, "
        f"one text a step, m = length / {WAIST}, fused attention on every side.",
        "",
        "Seconds: median of forward, backward and update. Kept: megabytes that autograd keeps for backward, weights left out.",
        "Peak: megabytes by which a fresh process grows in one step at most. In brackets: how many times less than vanilla.",
        "",
        "| tokens | side | seconds | kept MB | peak MB |",
        "| --- | --- | --- | --- | --- |",
    ]
    for length, sides in results.items():
        for side, found in sides.items():
            cells = [
                shown(value) if side == "vanilla" else f"{shown(value)} ({base / value:.2f})"
                for value, base in zip(found, sides["vanilla"], strict=True)
            ]
            lines.append(f"| {length} | {side} | {' | '.join(cells)} |")
    if JUDGED in results:
        theirs, ours = results[JUDGED]["vanilla"], results[JUDGED]["perceiver-causal"]
        faster, less = theirs[0] / ours[0], theirs[1] / ours[1]
        kept = "keeps" if min(faster, less) >= BAR else "BREAKS"
        lines += [
            "",
            f"At {JUDGED} tokens `perceiver-causal` {kept} the bar of {BAR:g}: "
            f"{faster:.2f} times faster, {less:.2f} times less kept.",
        ]
    if len(results) > 1:
        lines += ["", "![Log-log plot of seconds and memory with fitted slopes](perceiver.svg)", "", *slopes(results)]
    return "\n".join([*lines, "", "Shown by: `python benchmarks/perceiver.py`", ""])


def shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def charts(results: dict[int, dict[str, tuple[float, float, float]]]) -> list[Chart]:
    titles = [("Seconds of a training step", "s"), ("Activations kept", "MB"), ("Peak of the process", "MB")]
    lengths = list(results)
    return [
        Chart(title, "tokens", unit, [GrowthLine(side, lengths, [results[n][side][which] for n in lengths]) for side in SIDES])
        for which, (title, unit) in enumerate(titles)
    ]


def slopes(results: dict[int, dict[str, tuple[float, float, float]]]) -> list[str]:
    """The fitted slopes as a table."""
    rows = ["| fitted slope, largest four lengths | vanilla | perceiver-causal | perceiver |", "| --- | --- | --- | --- |"]
    for chart in charts(results):
        rows.append(f"| {chart.title} | " + " | ".join(f"{slope(line, chart.fitted)[0]:.2f}" for line in chart.lines) + " |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lengths", default=",".join(map(str, LENGTHS)))
    parser.add_argument("--out", type=Path, default=HERE / "perceiver.md")
    parser.add_argument("--peak", choices=SIDES, help="print the peak of one side and stop")
    asked = parser.parse_args()
    lengths = [int(length) for length in asked.lengths.split(",")]
    if asked.peak:
        print(own_peak(asked.peak, lengths[0]))
        return
    results = {}
    for length in lengths:
        results[length] = measure(length, asked.rounds)
        print(length, {side: [round(value, 3) for value in found] for side, found in results[length].items()}, flush=True)
    text = report(results, asked.rounds)
    asked.out.write_text(text, encoding="utf-8")
    if len(results) > 1:
        asked.out.with_suffix(".svg").write_text(growth(charts(results)), encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
