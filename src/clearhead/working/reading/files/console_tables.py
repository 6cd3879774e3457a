"""Tables as consoles and reStructuredText draw them, brought to rows with bars; signs of comments taken off their lines."""

import re

BORDER = re.compile(r"^([ \t]*)\+(?:[-=]+\+)+[ \t]*$", re.MULTILINE)
LISTED = re.compile(r"\.\. list-table::.*")
OPTION = re.compile(r"\s*:[\w-]+:.*|\s*")
ITEM = re.compile(r"\s*(\*)?\s*-(?:\s+(.*))?")
PRINTED = re.compile(r"^##(?=\s|$)", re.MULTILINE)  # what R prints
PRINTED_WIDE = re.compile(r"^## {2,}\S", re.MULTILINE)
COMMENT = re.compile(r"([ \t]*)(\*(?!\*)|//|;;|%(?!\d)|--(?!-))(?=\s|$)(.*)")
OPENED = re.compile(r"\s*/\*+.*")
INDEX = re.compile(r"^([ \t]*)\[\d{1,3}\](?=[ \t]+[+-]?[\d.])", re.MULTILINE)  # [0] 0.286: the place in a printed list
CELL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?%?")
NUMBER = re.compile(r"[-+−]?(?:[\d.,/¼½¾⅓⅔∞]+|inf(?:inity)?|nan)", re.IGNORECASE)
GAPS = re.compile(r"[ \t]{2,}")
FIGURES = re.compile(r"[-–—]|[\d(][\d.,()*×xX+ ]*%?|[\d(][\w.,()*×+]*")  # a number, a size, a product, nothing
RULED = re.compile(r"\s*[-─═=_]{4,}\s*")
VECTOR = re.compile(r"\[[^\[\]\n]*\]")
NAMED_VECTORS = re.compile(r"\s*([^\[\]|=\n]{1,24}?)\s*((?:\[[^\[\]\n]*\]\s*){2,})")
FEWEST_ALIGNED = 3  # columns, and rows, of a table without lines
FEWEST_LINES = 3  # that a sign of comments must begin, one below the other
GAP = re.compile(r"\S[^\S\n]{2,}\S")  # between two headings


def without_drawing(text: str) -> str:
    """The text with such tables as rows with bars and without signs of comments; every line keeps its number."""
    if len(PRINTED_WIDE.findall(text)) > 1:
        text = PRINTED.sub("  ", text)
    if "/*" in text or "//" in text:
        text = without_comment_signs(text)
    if "[" in text:
        text = INDEX.sub(r"\1", text)
    if "+-" in text:
        text = BORDER.sub(r"\1|---|---|", text)
    if "list-table::" in text:
        text = with_listed_rows(text)
    return with_headed_columns(text)


def without_comment_signs(text: str) -> str:
    """Lines of one comment, each behind the same sign, without it."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        found = COMMENT.fullmatch(lines[at])
        run = at
        while found is not None and run < len(lines) and (other := COMMENT.fullmatch(lines[run])) and other[2] == found[2]:
            run += 1
        if run - at >= FEWEST_LINES and (found is None or found[2] != "*" or (at and OPENED.match(lines[at - 1]))):
            for k in range(at, run):
                match = COMMENT.fullmatch(lines[k])
                lines[k] = f"{match[1]}{match[3]}" if match is not None else lines[k]
        at = max(run, at + 1)
    return "\n".join(lines)


def with_listed_rows(text: str) -> str:
    """reStructuredText's list-table, `* - a` and `- b` one below the other, as rows with bars."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if LISTED.match(lines[at].strip()) is None:
            at += 1
            continue
        begin = at + 1
        while begin < len(lines) and OPTION.fullmatch(lines[begin]):
            begin += 1
        rows: list[list[str]] = []
        end = begin
        while end < len(lines) and (item := ITEM.fullmatch(lines[end])) is not None:
            if item[1]:
                rows.append([])
            if rows:
                rows[-1].append((item[2] or "").strip())
            end += 1
        if len(rows) > 1:
            drawn = ["| " + " | ".join(row) + " |" for row in rows]
            lines[begin:end] = drawn + [""] * (end - begin - len(drawn))
        at = end
    return "\n".join(lines)


def with_headed_columns(text: str) -> str:
    """A line of headings over lines of a name and numbers, as data frames are printed, as rows with bars."""
    if GAP.search(text) is None:
        return text
    lines = text.split("\n")
    at = 0
    while at + 2 < len(lines):
        rows = headed_rows(lines, at) or aligned_rows(lines, at) or vector_rows(lines, at)
        if rows:
            lines[at : at + len(rows)] = ["| " + " | ".join(row) + " |" for row in rows]
            at += len(rows)
        else:
            at += 1
    return "\n".join(lines)


def headed_rows(lines: list[str], at: int) -> list[list[str]]:
    """The cells of a table that begins here with its headings; none where there is none."""
    head = lines[at].split()
    if not 2 <= len(head) <= 12 or any(not is_heading(word) for word in head):
        return []
    rows: list[list[str]] = []
    for line in lines[at + 1 :]:
        cells = line.split()
        if not cells or (rows and len(cells) != len(rows[0])) or not is_row(cells, len(head)):
            break
        rows.append(cells)
    if len(rows) < 2 or GAP.search(lines[at]) is None:
        return []
    counted = [row[0] for row in rows] in ([str(k) for k in range(len(rows))], [str(k + 1) for k in range(len(rows))])
    if len(rows[0]) == len(head) + 1 and counted:  # numbers of rows, without a heading
        return [head, *(row[1:] for row in rows)]
    return [head if len(rows[0]) == len(head) else ["", *head], *rows]


def aligned_rows(lines: list[str], at: int) -> list[list[str]]:
    """The cells of a table whose columns, three or more, stand one below the other with gaps of two blanks between them."""
    head = GAPS.split(lines[at].strip()) if "  " in lines[at] else []
    if len(head) < FEWEST_ALIGNED or any(not word[:1].isalpha() or set(word) & set("=[]{}|") for word in head):
        return []
    rows: list[list[str]] = []
    for line in lines[at + 1 :]:
        cells = GAPS.split(line.strip())
        if len(cells) != len(head) or not cells[0][:1].isalpha() or any(not FIGURES.fullmatch(cell) for cell in cells[1:]):
            break
        rows.append(cells)
    return [head, *rows] if len(rows) >= FEWEST_ALIGNED else []


def vector_rows(lines: list[str], at: int) -> list[list[str]]:
    """Lines of a name and vectors side by side under a line of headings, one for each vector."""
    head = lines[at].split() if any("[" in line for line in lines[at + 1 : at + 3]) else []
    if len(head) < 2 or any(not is_heading(word) for word in head):
        return []
    ruled = at + 1 < len(lines) and RULED.fullmatch(lines[at + 1]) is not None
    rows: list[list[str]] = [["", *head], *([["---"] * (len(head) + 1)] if ruled else [])]
    for line in lines[at + 1 + ruled :]:
        found = NAMED_VECTORS.fullmatch(line)
        vectors = VECTOR.findall(found[2]) if found is not None else []
        if found is None or len(vectors) != len(head):
            break
        rows.append([found[1].strip(" :"), *vectors])
    return rows if len(rows) > 2 + ruled else []


def is_row(cells: list[str], columns: int) -> bool:
    """A name, perhaps behind the number of the row, and numbers."""
    if len(cells) not in (columns, columns + 1):
        return False
    words = [cell for cell in cells if CELL.fullmatch(cell) is None]
    return len(words) == 1 and words[0] in cells[:2] and is_name(words[0]) and not set("".join(cells)) & set("=[]{}|")


def is_heading(word: str) -> bool:
    """Whether a word may head a column: a name, which may tell what it is of, `k:cat`."""
    return is_name(word) and len(word) <= 16 and not set(word) & set("=[](){}|,") and word[-1] != ":"


def is_name(word: str) -> bool:
    """Whether a word may head a column or a row: 3/10 and −inf are numbers.

    >>> is_name("w_1"), is_name("#"), is_name("3/10"), is_name("-inf")
    (True, True, False, False)
    """
    return CELL.fullmatch(word) is None and NUMBER.fullmatch(word) is None
