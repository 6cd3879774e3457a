"""What is wrong with a LaTeX document, as far as that shows without LaTeX: pairs, environments, escapes, signs."""

import re

ENVIRONMENT = re.compile(r"\\(begin|end)\{([a-z*]+)\}")
KNOWN = {"document", "align*", "array", "itemize"}


def faults(source: str) -> list[str]:
    found = [f"sign U+{ord(c):04X} needs a package" for c in sorted({c for c in source if not c.isascii()})]
    bare = re.sub(r"\\[\\{}%&_#$]", lambda m: "\n" if m[0] == "\\\\" else "", source)  # without escaped signs and line ends
    depth = 0
    for sign in bare:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            found.append("a brace is closed that was never opened")
            break
    if depth > 0:
        found.append("a brace is left open")
    found += environment_faults(bare)
    for rest in ("%", "#"):
        if rest in bare:
            found.append(f"a bare {rest}")
    outside = re.sub(r"\\begin\{(align\*)\}.*?\\end\{\1\}", "", bare, flags=re.DOTALL)
    if outside.count("$") % 2:
        found.append("a dollar sign without its partner")
    words = re.sub(r"\$[^$]*\$", "", outside)
    found += [f"a bare {sign} outside maths" for sign in "_^&" if re.search(rf"(?<!\\){re.escape(sign)}", words)]
    maths = re.findall(r"\\begin\{align\*\}(.*?)\\end\{align\*\}", bare, flags=re.DOTALL)
    if any(len(re.findall(r"\\left\b", each)) != len(re.findall(r"\\right\b", each)) for each in maths):
        found.append(r"\left without \right")
    if any("\n\n" in each.replace("\n\n ", "\n") and re.search(r"\n\s*\n\s*\n", each) for each in maths):
        found.append("an empty line inside maths")
    return found


def environment_faults(source: str) -> list[str]:
    open_ones: list[str] = []
    found = []
    for match in ENVIRONMENT.finditer(source):
        which, name = match.groups()
        if name not in KNOWN:
            found.append(f"environment {name} needs a package")
        if which == "begin":
            open_ones.append(name)
        elif not open_ones or open_ones.pop() != name:
            found.append(f"\\end{{{name}}} without its beginning")
    return found + [f"environment {name} is left open" for name in open_ones]
