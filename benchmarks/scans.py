"""How well pictures of a working are read: rendered pages, clean, noisy, slanted, in any font; cells read, unsure, accused.

Run: python benchmarks/scans.py [FONT.ttf …]   (needs the scan extra and Pillow; a handwriting font makes the hardest page)
"""

import io
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFont

from clearhead.exact.decimals import as_float
from clearhead.working import load_problem
from clearhead.working.marking import Marker
from clearhead.working.marking.class_folder import mark_file

PROBLEM = {
    "kind": "attention",
    "given": {
        "X": [[1, 2], [0, 1], [2, 1]],
        "W_Q": [[1, 0], [-1, 1]],
        "W_K": [[0, 1], [1, 0]],
        "W_V": [[2, 0], [1, 1]],
    },
}
FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
SIZE, LINE, MARGIN = 34, 56, 60  # pixels
SLANT = 1.5  # degrees


def page_text(marker: Marker) -> str:
    """The right working, a row a line."""
    said = []
    for step in marker.key.plan.steps:
        value = marker.key.exact[step.name]
        said.append(f"{step.name} =")
        said += ["    ".join(f"{as_float(cell):.3f}" for cell in row) for row in value.rows]
        said.append("")
    return "\n".join(said)


def picture(text: str, font: Path, noise: float = 0.0, slant: float = 0.0) -> bytes:
    """The text as a photographed sheet."""
    lines = text.split("\n")
    sheet = Image.new("L", (1000, LINE * len(lines) + 2 * MARGIN), 250)
    drawn = ImageDraw.Draw(sheet)
    letters = ImageFont.truetype(str(font), SIZE)
    for at, line in enumerate(lines):
        drawn.text((MARGIN, MARGIN + LINE * at), line, font=letters, fill=30)
    sheet = sheet.rotate(slant, expand=True, fillcolor=250) if slant else sheet
    if noise:
        sheet = ImageChops.add(sheet, Image.effect_noise(sheet.size, noise), offset=-128)
    packed = io.BytesIO()
    sheet.save(packed, "PNG")
    return packed.getvalue()


def figures(marker: Marker, data: bytes) -> str:
    cells = sum(v.shape[0] * v.shape[1] for v in (marker.key.exact[s.name] for s in marker.key.plan.steps))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "w.png"
        path.write_bytes(data)
        start = time.perf_counter()
        mark = mark_file(marker, path)
    verdicts = [cell.verdict for step in mark.steps for cell in step.cells]
    right = verdicts.count("right") + verdicts.count("follows")
    seconds = time.perf_counter() - start
    return f"{right} of {cells} | {verdicts.count('unsure')} | {verdicts.count('wrong')} | {seconds:.0f}"


if __name__ == "__main__":
    text = page_text(Marker(load_problem(PROBLEM)))
    pages = {"clean": {}, "noise": {"noise": 25.0}, "slanted": {"slant": SLANT}, "both": {"noise": 25.0, "slant": SLANT}}
    print("| font | page | read | unsure | accused | s |\n| --- | --- | --- | --- | --- | --- |")
    for font in [Path(name) for name in sys.argv[1:]] or [FONT]:
        for name, how in pages.items():
            print(
                f"| {font.stem} | {name} | {figures(Marker(load_problem(PROBLEM)), picture(text, font, **how))} |", flush=True
            )
