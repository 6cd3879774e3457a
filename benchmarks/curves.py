"""The loss curves of some runs in one picture, for docs/log.md: what each recipe did on the way.

Run: .venv/bin/python benchmarks/curves.py OUT.svg "title" "name=RUN/pretrain" …
"""

import statistics
import sys
from pathlib import Path

from clearhead.pictures import curves
from clearhead.training.steps.metrics import read_metrics

POINTS = 40  # of each curve: means over as many stretches, since single steps jump


def curve(folder: Path) -> list[tuple[float, float]]:
    """(tokens, mean loss) of the stretches of a run."""
    records = list(read_metrics(folder / "metrics.jsonl"))
    each = max(1, len(records) // POINTS)
    parts = [records[start : start + each] for start in range(0, len(records) - each + 1, each)]
    return [(float(part[-1]["tokens"]), statistics.mean(float(record["loss"]) for record in part)) for part in parts]


def main() -> None:
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    out, title, *named = sys.argv[1:]
    runs = dict(each.rsplit("=", 1) for each in named)
    drawn = {name: curve(Path(folder)) for name, folder in runs.items()}
    Path(out).write_text(curves(drawn, title, "tokens", "loss in training, nats a token"), encoding="utf-8")


if __name__ == "__main__":
    main()
