r"""The LaTeX of formulas read into a tree, from which MathML and Typst are written.

Only what formulas here use: letters, numbers, `\frac`, `\sqrt`, `\mathrm`, accents, scripts, brackets, arrays, named signs.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\s+|.", re.DOTALL)

SIGNS = {
    "top": "⊤", "odot": "⊙", "cdot": "·", "times": "×", "partial": "∂", "sum": "∑", "prod": "∏", "to": "→", "infty": "∞",
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "in": "∈", "pm": "±", "mid": "|",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "ldots": "…", "dots": "…", "cdots": "⋯", "vdots": "⋮",
    "nabla": "∇", "sim": "∼", "langle": "⟨", "rangle": "⟩", "lVert": "‖", "rVert": "‖", "Vert": "‖", "|": "‖", "propto": "∝",
    "perp": "⊥", "circ": "∘", "Rightarrow": "⇒", "rightarrow": "→", "leftarrow": "←", "forall": "∀", "{": "{", "}": "}",
    "cr": "", "prime": "′", "%": "%", "#": "#", "&": "&", "_": "_", "$": "$", "colon": ":", "equiv": "≡", "star": "⋆",
    "int": "∫",
}  # fmt: skip
GREEK_NAMES = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi varphi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell"
)
GREEK = dict(zip(GREEK_NAMES.split(), "αβγδϵεζηθικλμνξπρστϕφχψωΓΔΘΛΞΠΣΦΨΩℓ", strict=True))
FUNCTIONS = frozenset({"ln", "log", "exp", "max", "min", "lim", "tanh", "sin", "cos", "arg", "det", "argmax"})
SPACES = {",": 0.17, ";": 0.28, ":": 0.22, "!": 0.0, " ": 0.3, "quad": 1.0, "qquad": 2.0}
WORDS = frozenset({"mathrm", "text", "operatorname", "textrm", "mathsf", "mathit"})
ACCENTS = {"hat": "^", "widehat": "^", "bar": "¯", "overline": "¯", "tilde": "~", "dot": "˙", "vec": "→"}
BOLD = frozenset({"mathbf", "boldsymbol", "mathbb", "mathcal"})
OPERATORS = frozenset("+-=<>/·*,;:|!()[]{}'")


@dataclass(frozen=True, slots=True)
class Node:
    """What it is, what it says, and what is inside.

    kinds: row, letter, number, sign, word (upright), function, space, fraction, root, script (base, below, above), accent,
    bold, table, fence (brackets that grow with what is inside)
    """

    kind: str
    says: str = ""
    inside: tuple["Node", ...] = ()


EMPTY = Node("row")


@dataclass(slots=True)
class TokenReader:
    """Tokens, and the place that was reached."""

    tokens: list[str]
    place: int = 0
    unknown: list[str] = field(default_factory=list)

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.place += 1
        return token


def read_formula(latex: str) -> Node:
    r"""A formula as a tree.

    >>> read_formula(r"x^2").kind
    'script'
    """
    return read_row(TokenReader(TOKEN.findall(latex)), "")


def unknown_commands(latex: str) -> list[str]:
    """Commands that stand for nothing here: they would show as their own name."""
    reader = TokenReader(TOKEN.findall(latex))
    read_row(reader, "")
    return reader.unknown


def read_row(reader: TokenReader, *ends: str) -> Node:
    """Everything up to one of the closing tokens, which is taken too."""
    found: list[Node] = []
    while (token := reader.peek()) and token not in ends:
        if token in "^_":
            reader.take()
            base = found.pop() if found else EMPTY
            found.append(scripted(base, token, read_one(reader)))
        elif token == "'":
            reader.take()
            base = found.pop() if found else EMPTY
            found.append(scripted(base, "^", Node("sign", "′")))
        else:
            node = read_one(reader)
            if node is not EMPTY:
                found.append(node)
    reader.take()
    return found[0] if len(found) == 1 else Node("row", "", tuple(found))


def scripted(base: Node, which: str, script: Node) -> Node:
    """A base with one script more: x_1 and then ^2 is one node with both."""
    below, above = (base.inside[1], base.inside[2]) if base.kind == "script" else (EMPTY, EMPTY)
    inner = base.inside[0] if base.kind == "script" else base
    below, above = (script, above) if which == "_" else (below, script)
    return Node("script", "", (inner, below, above))


def read_one(reader: TokenReader) -> Node:
    """One token with all that belongs to it."""
    token = reader.take()
    if token == "{":
        return read_row(reader, "}")
    if token.startswith("\\"):
        return read_command(reader, token[1:])
    if not token or token.isspace() or token in "}&":
        return EMPTY
    if token[0].isdigit():
        return Node("number", token)
    return Node("letter", token) if token.isalpha() and token not in OPERATORS else Node("sign", "−" if token == "-" else token)


def read_command(reader: TokenReader, name: str) -> Node:
    if name in {"frac", "tfrac", "dfrac"}:
        return Node("fraction", "", (read_argument(reader), read_argument(reader)))
    if name == "sqrt":
        return Node("root", "", (read_argument(reader),))
    if name in WORDS:
        return Node("word", words_of(reader))
    if name in BOLD:
        return Node("bold", "", (read_argument(reader),))
    if name in ACCENTS:
        return Node("accent", ACCENTS[name], (read_argument(reader),))
    if name == "left":
        left = read_bracket(reader)
        inside = read_row(reader, "\\right")
        return Node("fence", left + read_bracket(reader), (inside,))
    if name == "begin":
        return read_table(reader, words_of(reader))
    if name in SPACES:
        return Node("space", str(SPACES[name]))
    if name in FUNCTIONS:
        return Node("function", name)
    if name in GREEK:
        return Node("letter", GREEK[name])
    if name not in SIGNS:
        reader.unknown.append(name)
    return Node("sign", SIGNS[name]) if name in SIGNS else Node("word", name)


def read_bracket(reader: TokenReader) -> str:
    skip_spaces(reader)
    bracket = reader.take()
    return " " if bracket in {".", ""} else SIGNS.get(bracket[1:], " ") if bracket.startswith("\\") else bracket[0]


def read_argument(reader: TokenReader) -> Node:
    skip_spaces(reader)
    return read_one(reader)


def skip_spaces(reader: TokenReader) -> None:
    while reader.peek().isspace():
        reader.take()


def words_of(reader: TokenReader) -> str:
    """The raw letters between braces."""
    skip_spaces(reader)
    if reader.take() != "{":
        return ""
    return "".join(iter_until(reader, "}"))


def iter_until(reader: TokenReader, end: str) -> Iterator[str]:
    while (token := reader.take()) and token != end:
        yield token[1:] if token.startswith("\\") else token


def read_table(reader: TokenReader, environment: str) -> Node:
    r"""Rows of cells up to \end; `says` holds the brackets."""
    if environment == "array":
        words_of(reader)
    rows: list[Node] = []
    row: list[Node] = []
    ended = False
    while reader.peek() and not ended:
        start = reader.place
        row.append(read_row(reader, "&", "\\\\", "\\cr", "\\end"))
        last = reader.tokens[reader.place - 1] if reader.place <= len(reader.tokens) else ""
        if last != "&":
            ended = last != "\\\\" and last != "\\cr"
            if row != [EMPTY] or not ended:
                rows.append(Node("row", "", tuple(row)))
            row = []
        if reader.place == start:
            break
    words_of(reader)  # the name after \end
    brackets = {"bmatrix": "[]", "pmatrix": "()", "cases": "{ "}.get(environment, "  ")
    return Node("table", brackets, tuple(rows))
