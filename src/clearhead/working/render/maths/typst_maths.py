"""Formulas in the maths of Typst, every sign quoted or escaped so that nothing is read as code."""

from clearhead.working.render.maths.latex_tree import EMPTY, Node, read_formula


def typst_maths(latex: str) -> str:
    r"""A formula in LaTeX as maths of Typst.

    >>> typst_maths(r"\frac{a}{2}")
    'frac(a, 2)'
    """
    return write(read_formula(latex))


def quoted(words: str) -> str:
    """A string of Typst.

    >>> quoted('say "a"')
    '"say \\\\"a\\\\""'
    """
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write(node: Node) -> str:
    parts = [write(part) for part in node.inside]
    match node.kind:
        case "letter":
            return node.says if node.says.isascii() or len(node.says) == 1 else quoted(node.says)
        case "number":
            return node.says
        case "sign":
            return written_sign(node.says)
        case "function":
            return f"op({quoted(node.says)})"
        case "word":
            return f"upright({quoted(node.says)})" if node.says else ""
        case "space":
            return f"#h({node.says}em)"
        case "fraction":
            return f"frac({parts[0]}, {parts[1]})"
        case "root":
            return f"sqrt({parts[0]})"
        case "script":
            return write_script(node, parts)
        case "accent":
            return f"accent({parts[0]}, {quoted(node.says)})"
        case "bold":
            return f"bold({parts[0]})"
        case "fence":
            return write_fence(node, parts[0])
        case "table":
            return write_table(node)
    return " ".join(part for part in parts if part)


def written_sign(sign: str) -> str:
    """Brackets and separators are escaped: a formula need not balance, and a comma is no argument."""
    return f"\\{sign}" if len(sign) == 1 and sign.isascii() and sign not in "+=<>" else sign


def write_fence(node: Node, inside: str) -> str:
    """A pair of brackets that Typst knows grows by itself; a table brings its own."""
    if node.inside[0].kind == "table" and node.says in {"[]", "()"}:
        return write_table(Node("table", node.says, node.inside[0].inside))
    if node.says in {"[]", "()", "{}", "⌊⌋", "⌈⌉"}:
        return f"{node.says[0]} {inside} {node.says[1]}"
    left, right = (written_sign(sign) if sign != " " else "" for sign in node.says)
    return f"lr({left} {inside} {right})"


def write_script(node: Node, parts: list[str]) -> str:
    base = parts[0] or '""'
    below = f"_({parts[1]})" if node.inside[1] is not EMPTY else ""
    above = f"^({parts[2]})" if node.inside[2] is not EMPTY else ""
    return f"{base}{below}{above}"


def write_table(node: Node) -> str:
    rows = "; ".join(", ".join(write(cell) or '""' for cell in row.inside) for row in node.inside)
    delimiter = {"[]": '"["', "()": '"("', "{ ": '"{"'}.get(node.says, "#none")
    return f"cases({rows.replace('; ', ', ')})" if node.says == "{ " else f"mat(delim: {delimiter}, {rows})"
