"""Where the birthplaces live in a run: the figure of docs/where-facts-live.md, over 200 dev questions.

python benchmarks/where_facts_live.py RUN... (the first is the figure; others are compared with it)
"""

import json
import sys
from pathlib import Path

from machine import described as machine

from clearhead.lens.causes.fact_places import FactPlaces, fact_picture, fact_places, fact_tables
from clearhead.progress import bar
from clearhead.training.folders.runs import trained

DOCS = Path(__file__).parent.parent / "docs"
COUNT = 200


def found_in(folder: Path) -> FactPlaces:
    """The trace of one run, with a bar: questions are counted as files, the smallest unit that a bar knows."""
    with bar(folder.name, "files") as shown:
        return fact_places(trained(folder), COUNT, tell=lambda done, total: shown(done, total))


def described(folder: Path) -> str:
    """A run in a line, by its recipe and figures."""
    run = trained(folder)
    model = run.recipe.model
    memory = f"a phrase memory of {model['memory']:,} rows" if model.get("memory") else "no phrase memory"
    known = json.loads((folder / "figures.json").read_text(encoding="utf-8")) if (folder / "figures.json").exists() else {}
    dev = known.get("dev", {}).get("accuracy")
    corpus = "the course's biographies" if "/" in run.recipe.corpus else f"the built-in corpus {run.recipe.corpus}"
    said = f", {dev:.1%} of dev right when asked in three ways" if isinstance(dev, float) else ""
    size = f"{model.get('layers')} blocks of {model.get('heads')} heads, {model.get('width')} wide"
    return f"{size}, {memory}, trained on {corpus}{said}"


def main() -> None:
    if len(sys.argv) < 2:
        print(__doc__)
        return
    parts = []
    for number, name in enumerate(sys.argv[1:], 1):
        folder = Path(name)
        found = found_in(folder)
        picture = DOCS / f"where-facts-live-{number}.svg"
        picture.write_text(fact_picture(found), encoding="utf-8")
        parts.append(
            f"## Run {number}: {described(folder)}\n\n![What each part brings over]({picture.name})\n\n"
            f"{found.pairs} pairs of dev questions with right answers; {found.asked} dev questions for what is left out. "
            f"Means with 95 % intervals (bootstrap over questions).\n\n{fact_tables(found)}"
        )
    print(f"{machine()}\n\n" + "\n".join(parts))


if __name__ == "__main__":
    main()
