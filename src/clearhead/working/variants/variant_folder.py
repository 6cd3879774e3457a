"""What the vary command writes: a folder a variant with the problem, a blank worksheet, the key and a live spreadsheet."""

from collections.abc import Iterator
from pathlib import Path

from clearhead.errors import InputError
from clearhead.saving import save
from clearhead.working.render.renderers import render
from clearhead.working.variants import toml, worksheet
from clearhead.working.variants.spreadsheet import spreadsheet
from clearhead.working.variants.variants import Variant, vary


def files_of(variant: Variant) -> dict[str, str | bytes]:
    """Every file of one variant, by name."""
    working = variant.working
    return {
        "problem.toml": toml.written(variant.tree),
        "worksheet.md": worksheet.markdown(working),
        "worksheet.pdf": worksheet.pdf(working),
        "key.md": render(working, "markdown"),
        "key.pdf": render(working, "pdf"),
        "sheet.xlsx": spreadsheet(working),
    }


def write_variants(problem: str, count: int, seed: int, out: Path) -> Iterator[Path]:
    """One folder after the other: 01, 02 and so on."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; name a folder")
    width = max(2, len(str(count)))
    for variant in vary(problem, count, seed):
        folder = out / f"{variant.number:0{width}}"
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files_of(variant).items():
            save(content, folder / name)
        yield folder
