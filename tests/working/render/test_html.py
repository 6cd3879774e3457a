"""The HTML page: whole, self-contained, everything a person wrote escaped."""

import re
from html.parser import HTMLParser

from clearhead.exact.matrices import product, transposed
from clearhead.working import Working, work
from clearhead.working.render import render
from clearhead.working.render.formats.html import fragment
from clearhead.working.render.maths.mathml import mathml
from clearhead.working.render.page.layout import page_of
from clearhead.working.render.page.origins import product_of

VOID = {"meta"}
OUTSIDE = re.compile(
    r"https?:|src\s*=|@import|url\(|<link|<iframe|<object|<embed|xlink:href|\bhref\s*=|fetch\(|XMLHttpRequest|import\("
)


class Reader(HTMLParser):
    """Holds tags against each other and keeps what is shown."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.faults: list[str] = []
        self.tags: list[str] = []
        self.shown: list[str] = []
        self.attributes: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.stack or self.stack.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data: str) -> None:
        if self.stack and self.stack[-1] not in {"script", "style"}:
            self.shown.append(data)


def test_every_page_is_well_formed_and_loads_nothing(working: Working) -> None:
    page = str(render(working, "html"))
    read = Reader(page)
    assert (read.faults, read.stack) == ([], [])
    assert OUTSIDE.findall(page) == []


def test_the_checks_reject_what_is_loaded_from_elsewhere_and_what_is_not_closed() -> None:
    for bad in ('<img src="x">', "<a href='http://x'>", "<style>@import 'x'</style>", "<script>fetch('x')</script>"):
        assert OUTSIDE.search(bad)
    assert Reader("<p><b></p>").faults


def test_what_a_person_wrote_is_words_never_markup(working: Working) -> None:
    read = Reader(str(render(working, "html")))
    assert read.tags.count("script") == 1
    assert not [name for name in read.attributes if name.startswith("on")]
    assert "b" not in read.tags


def test_nonsense_is_shown_as_it_was_written() -> None:
    nonsense = work({"kind": "softmax", "title": "<script>alert(1)</script> & more", "given": {"z": [1, 2]}})
    assert "<script>alert(1)</script> & more" in Reader(str(render(nonsense, "html"))).shown


def test_every_number_of_a_product_can_be_reached() -> None:
    page = str(render(work("examples/self-attention"), "html"))
    grids = re.findall(r'<table role="grid".*?</table>', page, flags=re.DOTALL)
    assert len(grids) == 6
    assert all(grid.count('tabindex="0"') == 1 for grid in grids)
    assert sum(grid.count("tabindex") for grid in grids) == 6 + 6 + 6 + 9 + 9 + 6
    assert re.findall(r'data-left="(\w+)" data-right="(\w+)"', page) == [
        ("X", "W_Q"),
        ("X", "W_K"),
        ("X", "W_V"),
        ("Q", "K"),
        ("weights", "V"),
    ]


def test_it_works_on_a_phone_in_the_dark_and_for_those_who_listen() -> None:
    page = str(render(work("examples/self-attention"), "html"))
    for needed in ('name="viewport"', "prefers-color-scheme: dark", 'lang="en"', 'role="status"', 'aria-label="Q, 3 by 2"'):
        assert needed in page


def test_a_notebook_shows_a_working_by_itself() -> None:
    working = work("examples/self-attention")
    assert working._repr_html_() == fragment(working)
    assert "<html" not in working._repr_html_()
    assert working._repr_markdown_().startswith("# Self-attention")
    assert "```" not in working._repr_markdown_()
    assert working._repr_latex_().startswith("$$\\begin{aligned}")
    assert working._repr_latex_().rstrip().endswith("\\end{aligned}$$")


def test_formulas_are_mathml() -> None:
    assert mathml(r"\frac{1}{2}") == "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"
    assert mathml(r"K^\top") == "<math><msup><mi>K</mi><mo>⊤</mo></msup></math>"
    assert mathml(r"\mathrm{<b>}") == "<math><mtext>&lt;b&gt;</mtext></math>"
    assert mathml(r"x_1^2") == "<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>"


def test_what_the_page_multiplies_is_what_the_step_computes(working: Working) -> None:
    """The page takes two names side by side for a product; that must be what the rule of the step does."""
    for part in page_of(working).parts:
        found = product_of(part) if part.table is not None else None
        if found is None or part.step.rule is None:
            continue
        left, right, right_turned, left_turned = found
        a, b = working.values[left], working.values[right]
        a, b = transposed(a) if left_turned else a, transposed(b) if right_turned else b
        assert product(a, b).rows == part.step.rule(*working.inputs(part.step)).rows
