"""LaTeX, Markdown and Unicode signs brought to one plain notation, line by line the same text: what is struck out is gone."""

import html
import re

BREAK = "\f"  # ends a statement inside a line: LaTeX's \\, ⇒
OPEN, SHUT = "\x02", "\x03"  # around the cells of a matrix environment
SWALLOWED = "\v"  # stands for a line end inside a table that was taken out

SIGNS = str.maketrans({
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "﹣": "-", "－": "-", "＝": "=", "≈": "=", "≃": "=", "≅": "=", "≡": "=",
    "⇒": BREAK, "∴": BREAK, "⟹": BREAK, "➜": "→", "⟶": "→", "↦": "→", "⋅": "·", "∙": "·", "•": "·", "✕": "×", "ᵀ": "^T",
    "⊤": "T", "⁄": "/", "∕": "/", "’": "'", "“": '"', "”": '"', "│": "|", "┃": "|", "⟨": "<", "⟩": ">", "\u200b": "",
    "，": ", ", "、": ", ", "：": ": ", "；": "; ", "（": " (", "）": ") ",
    "\ufeff": "", "ŷ": "haty", "\r": "\n", "\u2028": "\n", "\u2029": "\n", "\x85": "\n",
    **dict.fromkeys("⎡⎢⎣⎤⎥⎦⎛⎜⎝⎞⎟⎠┌┐└┘\u00a0\u2009\u202f\v\f\x02\x03\x1c\x1d\x1e", " "),
})  # fmt: skip
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾", "0123456789+-()")
LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾]+")
SUBSCRIPT = re.compile("[₀₁₂₃₄₅₆₇₈₉]+")
STRUCK = re.compile(r"~~[^~\n]*(?:~[^~\n]+)*~~")
STRUCK_HTML = re.compile(r"<(del|s|strike)>[^<]*</\1>", re.IGNORECASE)
STRUCK_LATEX = re.compile(r"\\(?:sout|cancel|xcancel|bcancel|st)\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
ENTITY = re.compile(r"&(?:minus|nbsp|lt|gt|amp|frac\d\d|middot|times|radic|infin|#\d{1,5}|#x[\da-f]{1,5});")
INDEX_TAG = re.compile(r"<(/?)su([bp])>", re.IGNORECASE)
CELL_TAG = re.compile(r"<(table|tr|td|th)\s[^<>]{1,2000}>", re.IGNORECASE)
DRESS = re.compile(r"</?(?:p|div|span|b|i|strong|em|h[1-6]|code|pre|li|ul|ol|font|center)(?: [^<>]{0,200})?>", re.IGNORECASE)
COMMENT = re.compile(r"^[ \t]*%[^\n]*$", re.MULTILINE)
MACRO = re.compile(
    r"\\(begin|end)\s*\{([a-zA-Z]+)\*?\}(?:\{[^{}\n]*\})?|\\\\(?:\[-?[\d.]+ ?(?:pt|em|ex|mm|cm)\])?|\\([a-zA-Z]+)|\\(.)|(\$\$?)"
)
MATRIX = re.compile(r"\\begin\{[a-zA-Z]*(?:matrix|array)\}.{0,4000}?\\end\{", re.DOTALL)
LONE_BACKSLASH = re.compile(r"\\(?<!\\\\)(\s)")  # what is left of LaTeX's line end where Markdown has eaten one of its two
MATRICES = frozenset({
    "matrix", "bmatrix", "pmatrix", "vmatrix", "Vmatrix", "Bmatrix", "smallmatrix", "bsmallmatrix", "psmallmatrix", "array",
    "tabular",
})  # fmt: skip
WORDS = {
    "cdot": "·", "times": "×", "ast": "*", "div": "/", "top": "T", "intercal": "T", "approx": "=", "simeq": "=", "cong": "=",
    "equiv": "=", "to": "→", "rightarrow": "→", "longrightarrow": "→", "mapsto": "→", "Rightarrow": BREAK, "implies": BREAK,
    "therefore": BREAK, "quad": " , ", "qquad": " , ", "infty": "∞", "alpha": "α", "theta": "θ", "lambda": "λ", "beta": "β",
    "sigma": "σ", "sqrt": "√", "surd": "√", "tfrac": "\\frac", "dfrac": "\\frac", "cfrac": "\\frac", "frac": "\\frac",
    "ldots": "…", "dots": "…", "cdots": "…", "vdots": "…", "ddots": "…", "exp": "exp", "ln": "ln", "log": "log", "max": "max",
    "leq": "≤", "geq": "≥", "le": "≤", "ge": "≥", "neq": "≠", "ne": "≠", "langle": "<", "rangle": ">", "lbrack": "[",
    "rbrack": "]", "square": "?", "Pr": "P", "lim": "lim", "hat": "hat", "widehat": "hat", "partial": "∂",
}  # fmt: skip
STYLES = """
left right big Big bigl bigr Bigl Bigr bigg Bigg biggl biggr displaystyle textstyle mathbf mathrm text textbf
textit textrm mathit mathsf mathtt mathcal mathbb bm boldsymbol operatorname boxed fbox emph mbox hbox bar
tilde vec underbrace hline toprule midrule bottomrule nonumber notag limits hfill underline noindent centering
rm bf it small
"""
GONE = frozenset(STYLES.split())
ONE_SIGN = {
    ",": " ",
    ";": " ",
    "!": "",
    ":": " ",
    " ": " ",
    "%": "%",
    "_": "_",
    "#": "#",
    "&": " and ",
    "{": "(",
    "}": ")",
    "|": "|",
}
ESCAPED_INDEX = re.compile(r"(?<=\w)\\\[([^\[\]\\\n]{1,20})\\\]")  # Markdown's Q\[1,2\]
NTH_ROOT = re.compile(r"√\[(\d{1,2})\]\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
RELATION = re.compile(r":=|==|~=|-+>|=+>|<-+")
ARROWS = {":=": "=", "==": "=", "~=": "="}
MODULES = ("np.", "numpy.", "math.", "torch.", "sp.", "sympy.", "jnp.")
PREFIX = re.compile(rf"\b(?:{'|'.join(map(re.escape, MODULES))})(?=[a-zA-Z])")
FLOAT = re.compile(r"""\bfloat\(\s*["']([+-]?inf(?:inity)?)["']\s*\)""", re.IGNORECASE)
TORCH_SIZE = re.compile(r"(?:\btorch\.)?\bSize\(\[\s*\d+\s*,\s*(\d+\s*,\s*\d+\s*,\s*\d+)\s*\]\)")  # of a batch of pictures
BATCH = re.compile(r"\(\s*(?:[BNb]|[Bb]atch(?:_?[Ss]ize)?|bs)\s*,\s*(\d+\s*,\s*\d+\s*,\s*\d+)\s*\)")  # (B, 6, 28, 28)
BOXES = re.compile(r"(?:\\boxed\s*\{[^{}\n]{1,40}\}\s*){2,}")  # cells drawn side by side
BOXED = re.compile(r"\\boxed\s*\{([^{}\n]*)\}")
BARE_DISPLAY = re.compile(r"^([ \t>]*)\[[ \t]*\n((?:[^\n]*=[^\n]*\n)(?:[^\n]*\n){0,12}?)[ \t>]*\][ \t]*$", re.MULTILINE)
BARRED = re.compile(r"(?<![\w.,/])[+-]?\d*\.\d+(?: / [+-]?\d*\.\d+){2,}(?![\w.,]*\d| /)")  # a list: nobody divides so
TRANSPOSE = re.compile(r"\.T\b|\.transpose\(\)|\.mT\b")


def plain_notation(text: str) -> str:
    """The text with one sign for each thing; line ends stay where they were.

    >>> plain_notation(r"$\\mathbf{Q}_{11} \\approx -\\tfrac{1}{2}$")
    ' {Q}_{11} = -\\\\frac{1}{2} '
    >>> plain_notation("0.91 / 0.01 / 0.08 and 0.91 / 0.01")
    '0.91, 0.01, 0.08 and 0.91 / 0.01'
    """
    text = text.replace("\r\n", "\n")
    if "</" in text or "&" in text:
        text = without_tags(text)
        text = html.unescape(text) if ENTITY.search(text) else text
    if not text.isascii() or not text.replace("\n", "").isprintable():
        text = unicode_signs(text)
    if "[\n" in text:
        text = BARE_DISPLAY.sub(r"\1\n\2", text)  # \\[ … \\] that was pasted without its backslashes
    if ",;" in text:
        text = text.replace(",;", ", ")  # and \\;
    text = without_struck(text)
    if "\\begin" in text and LONE_BACKSLASH.search(text):
        text = MATRIX.sub(lambda found: found[0] if "\\\\" in found[0] else LONE_BACKSLASH.sub(r"\\\\\1", found[0]), text)
    if "\\[" in text:
        text = ESCAPED_INDEX.sub(r"[\1]", text)
    if "Size([" in text:
        text = TORCH_SIZE.sub(r"(\1)", text)
    if any(sign in text for sign in ("(B", "(N", "(b")):
        text = BATCH.sub(r"(\1)", text)
    if "\\boxed" in text:
        text = BOXES.sub(lambda found: "[" + ", ".join(BOXED.findall(found[0])) + "] ", text)
    if "\\" in text or "$" in text:
        text = MACRO.sub(plain_macro, text)
    if "√[" in text:
        text = NTH_ROOT.sub(r"(\2)^{1/\1}", text)
    if ">" in text or ":=" in text or "==" in text or "~=" in text or "<-" in text:
        text = RELATION.sub(plain_relation, text)
    if any(module in text for module in MODULES):
        text = PREFIX.sub("", text)
    if " / " in text:
        text = BARRED.sub(lambda found: found[0].replace(" /", ","), text)
    if ".T" in text or ".transpose(" in text or ".mT" in text:
        text = TRANSPOSE.sub("^T", text)
    if "float(" in text:
        text = FLOAT.sub(r"\1", text)
    return text


def without_tags(text: str) -> str:
    """HTML's own signs for indices and powers; the tags that only dress the text are gone."""
    if "<su" in text:
        text = INDEX_TAG.sub(lambda tag: "}" if tag[1] else "_{" if tag[2] == "b" else "^{", text)
    return DRESS.sub(" ", CELL_TAG.sub(r"<\1>", text))


def unicode_signs(text: str) -> str:
    text = text.translate(SIGNS)
    if not text.isascii():
        text = SUPERSCRIPT.sub(lambda run: "^{" + run[0].translate(RAISED) + "}", text)
        text = SUBSCRIPT.sub(lambda run: "_{" + run[0].translate(LOWERED) + "}", text)
    return text


def without_struck(text: str) -> str:
    """Struck-out text and comments are not read."""
    if "~~" in text:
        text = STRUCK.sub("", text)
    if "<" in text:
        text = STRUCK_HTML.sub(kept_line_ends, text)
    if "<!--" in text:
        text = without_between(text, "<!--", "-->")
    if "%" in text:
        text = COMMENT.sub("", text)
    if "\\sout" in text or "cancel" in text or "\\st{" in text:
        text = STRUCK_LATEX.sub(kept_line_ends, text)
    return text


def without_between(text: str, start: str, end: str) -> str:
    """The text without what stands between two marks; an unclosed one is left."""
    pieces: list[str] = []
    at = 0
    while (opened := text.find(start, at)) >= 0 and (closed := text.find(end, opened)) >= 0:
        pieces += [text[at:opened], "\n" * text.count("\n", opened, closed)]
        at = closed + len(end)
    return "".join([*pieces, text[at:]])


def kept_line_ends(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def plain_macro(match: re.Match[str]) -> str:
    word = match[3]
    if word is not None:
        if word in WORDS:
            return WORDS[word]
        return "" if word in GONE else match[0]
    side, environment, _, sign, dollars = match.groups()
    if side is not None:
        if environment in MATRICES:
            return OPEN if side == "begin" else SHUT
        return " "
    if dollars is not None or sign in ("[", "]", "(", ")"):
        return " "  # mathematics begins or ends
    if sign is not None:
        return ONE_SIGN.get(sign, match[0])
    return BREAK


def plain_relation(match: re.Match[str]) -> str:
    found = match[0]
    if found in ARROWS:
        return ARROWS[found]
    return BREAK if found[0] == "=" else "→" if found[-1] == ">" else found
