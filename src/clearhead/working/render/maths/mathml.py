"""Formulas as MathML, which browsers draw without any script."""

from collections.abc import Iterator
from functools import lru_cache
from html import escape

from clearhead.working.render.maths.latex_tree import EMPTY, Node, read_formula


@lru_cache(2_048)  # a page that is edited says the same formulas again and again
def mathml(latex: str, *, block: bool = False) -> str:
    """A formula in LaTeX as MathML.

    >>> mathml("x^2")
    '<math><msup><mi>x</mi><mn>2</mn></msup></math>'
    """
    display = ' displaystyle="true"' if block else ""  # left like the words around it: display="block" would be centred
    return f"<math{display}>{write(read_formula(latex))}</math>"


def write(node: Node) -> str:
    parts = [write(part) for part in node.inside]
    match node.kind:
        case "letter":
            return f"<mi>{escape(node.says)}</mi>"
        case "number":
            return f"<mn>{node.says}</mn>"
        case "sign":
            form = ' form="prefix"' if node.says in "([{⌊⌈" else ' form="postfix"' if node.says in ")]}⌋⌉" else ""
            size = ' stretchy="false"' if form else ""  # only a fence grows with what is inside
            return f"<mo{form}{size}>{escape(node.says)}</mo>"
        case "function":
            return f'<mi>{node.says}</mi><mspace width="0.15em"></mspace>'
        case "word":
            return f"<mtext>{escape(edged(node.says))}</mtext>"
        case "space":
            return f'<mspace width="{node.says}em"></mspace>'
        case "fraction":
            return f"<mfrac>{''.join(parts)}</mfrac>"
        case "root":
            return f"<msqrt>{parts[0]}</msqrt>"
        case "script":
            return write_script(node, parts)
        case "accent":
            return f'<mover accent="true">{parts[0]}<mo>{escape(node.says)}</mo></mover>'
        case "bold":
            return f'<mstyle class="bold">{parts[0]}</mstyle>'
        case "fence" if node.says == "[]" and node.inside[0].kind == "table":
            return write_table(Node("table", "[]", node.inside[0].inside))
        case "fence":
            left, right = (f'<mo stretchy="true">{escape(sign)}</mo>' if sign != " " else "" for sign in node.says)
            return f"<mrow>{left}{parts[0]}{right}</mrow>"
        case "table":
            return write_table(node)
    return f"<mrow>{''.join(in_row(node.inside, parts))}</mrow>"


def in_row(inside: tuple[Node, ...], parts: list[str]) -> Iterator[str]:
    """The parts of a row; a minus after nothing, a sign or a word belongs to what follows it."""
    before = "sign"
    for node, part in zip(inside, parts, strict=True):
        alone = node.kind == "sign" and node.says == "−" and before in ("sign", "word", "space", "function")
        yield '<mo form="prefix">−</mo>' if alone else part
        before = node.kind


def edged(words: str) -> str:
    """Spaces at the ends of words, which MathML would drop, as ones that stay."""
    inside = words.strip(" ")
    return words.replace(inside, "\0", 1).replace(" ", "\u00a0").replace("\0", inside) if inside else "\u00a0" * len(words)


def write_script(node: Node, parts: list[str]) -> str:
    base, below, above = parts
    if node.inside[1] is EMPTY:
        return f"<msup>{base}{above}</msup>"
    if node.inside[2] is EMPTY:
        return f"<msub>{base}{below}</msub>"
    return f"<msubsup>{base}{below}{above}</msubsup>"


def write_table(node: Node) -> str:
    rows = "".join(f"<mtr>{''.join(f'<mtd>{write(cell)}</mtd>' for cell in row.inside)}</mtr>" for row in node.inside)
    if node.says == "[]":  # drawn by the page's style: not every machine has a font whose brackets grow
        return f'<mtable class="bracketed">{rows}</mtable>'
    left, right = (f"<mo>{sign}</mo>" if sign != " " else "" for sign in node.says)
    return f"<mrow>{left}<mtable>{rows}</mtable>{right}</mrow>"
