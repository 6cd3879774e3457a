"""The torch-free rooms are pure Python at their core, so that they run in a browser too."""

import subprocess
import sys

ROOMS = ("exact", "working", "layers", "pictures", "examples", "desk")
SCRIPT = f"""
import importlib, pkgutil, sys, tempfile
from pathlib import Path

for room in {ROOMS!r}:
    package = importlib.import_module(f"clearhead.{{room}}")
    for found in pkgutil.walk_packages(package.__path__, f"clearhead.{{room}}."):
        importlib.import_module(found.name)

from clearhead.desk import answer
from clearhead.layers import describe
from clearhead.working import load_problem, work
from clearhead.working.marking import Marker, mark_files, report
from clearhead.working.render.renderers import render

with tempfile.TemporaryDirectory() as folder:
    for example in ("self-attention", "sorter", "gradient-network", "convolution", "perplexity", "geometry-heads", "softmax"):
        for form in ("text", "markdown", "latex", "html", "json"):
            page = render(work(load_problem(f"examples/{{example}}")), form)
            assert len(page) > 100
            Path(folder, f"{{example}}.{{form}}").write_text(page, encoding="utf-8")
    marker = Marker(load_problem("examples/self-attention"))
    marks = list(mark_files(marker, [Path(folder, "self-attention.markdown")]))
    assert marks[0].score == marks[0].max_score
    assert all(report(form, marker, marks, several=False) for form in ("text", "html", "json"))
    assert "2,064" in describe("examples/nets/exam-net", "1x32x32", picture=f"{{folder}}/net.svg")

for name, asked in (("work", '{{"example": "sorter"}}'), ("sheet", '{{"example": "softmax", "seed": 3}}')):
    assert answer(name, asked).startswith('{{"ok": true')
assert answer("export", '{{"example": "softmax", "to": "xlsx"}}').startswith('{{"ok": true')

def compiled(module):
    where = getattr(module, "__file__", None) or ""
    return "site-packages" in where and where.endswith((".so", ".pyd", ".dylib"))

print("compiled:", sorted(name for name, module in sys.modules.items() if compiled(module)), file=sys.stderr)
"""
HAS_A_FALLBACK = "markupsafe._speedups"  # markupsafe goes without it where it is not there, as it does in Pyodide


def compiled_by(script: str) -> list[str]:
    """The compiled modules, beside Python's own, that a script has imported in the end."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = done.stderr.splitlines()[-1].removeprefix("compiled: ")
    return [name for name in found.strip("[]").replace("'", "").split(", ") if name not in ("", HAS_A_FALLBACK)]


def test_the_torch_free_rooms_import_nothing_compiled() -> None:
    assert compiled_by(SCRIPT) == []


def test_the_check_rejects_what_is_compiled() -> None:
    assert "numpy._core._multiarray_umath" in compiled_by(SCRIPT.replace("import importlib", "import numpy, importlib", 1))
