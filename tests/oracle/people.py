"""Workings as people publish them: headings and sentences in several languages, other names, numbers that mean nothing."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracle.writing import Entry, Page

CHATTER = (
    "Real models use 768 or 4096 dimensions; here a handful will do.",
    "Posted on 14.03.2025, 9 min read, part 3 of 7.",
    "This took me 25 minutes and two cups of tea.",
    "GPT-3 has 96 layers, so be glad that this is one.",
    "See also exercise 4.2 and page 87 of the notes.",
    "(Version 1.0.3, last edited 2024-11-02 at 18:40.)",
)
STEP_WORDS = {"en": "Step", "de": "Schritt", "fr": "Étape", "es": "Paso", "it": "Passo", "zh": "步骤", "ru": "Шаг"}
WORDS = {
    "en": {"Q": "Queries", "K": "Keys", "V": "Values", "scores": "Attention scores", "scaled": "Scaled scores",
           "masked": "Masked scores", "weights": "Attention weights", "output": "Output"},
    "de": {"Q": "Queries", "K": "Keys", "V": "Values", "scores": "Scores", "scaled": "Skalierte Scores",
           "masked": "Maskierte Scores", "weights": "Aufmerksamkeitsgewichte", "output": "Ausgabe"},
    "fr": {"Q": "Requêtes Q", "K": "Clés K", "V": "Valeurs V", "scores": "Scores bruts", "scaled": "Mise à l'échelle",
           "masked": "Scores avec masque", "weights": "Poids d'attention", "output": "Sortie"},
    "es": {"Q": "Consultas Q", "K": "Claves K", "V": "Valores V", "scores": "Puntuaciones", "scaled": "Puntuaciones escaladas",
           "masked": "Con máscara", "weights": "Pesos de atención", "output": "Salida"},
    "it": {"Q": "Query", "K": "Chiavi K", "V": "Valori V", "scores": "Punteggi", "scaled": "Punteggi scalati",
           "masked": "Scores con masked", "weights": "Pesi di attenzione", "output": "Uscita"},
    "zh": {"Q": "查询矩阵 Q", "K": "键矩阵 K", "V": "值矩阵 V", "scores": "注意力分数", "scaled": "缩放", "masked": "掩码",
           "weights": "注意力权重", "output": "输出"},
    "ru": {"Q": "Запросы Q", "K": "Ключи K", "V": "Значения V", "scores": "Оценки", "scaled": "Масштабирование",
           "masked": "Маска", "weights": "Веса внимания", "output": "Выход"},
}  # fmt: skip
"""What a step is called in a heading; a step that has no such word keeps its own name."""
AND = {"en": "and", "de": "und", "fr": "et", "es": "y", "it": "e", "zh": "和", "ru": "и"}
COMMAS = ("de", "fr", "es", "it", "ru")


class Speaker:
    """One person: a language, whether decimals have commas, how a heading looks."""

    def __init__(self, page: "Page", rng: Random) -> None:
        self.rng = rng
        attention = any(name.rstrip("0123456789") in ("scores", "weights") and page.ranks[name] == 2 for name in page)
        self.attention = attention
        self.language = rng.choice(list(WORDS)) if attention else "en"
        plain = all("/" not in e.text and "½" not in e.text for rows in page.values() for row in rows for e in row)
        decimals = sum("." in e.text for rows in page.values() for row in rows for e in row)
        self.commas = self.language in COMMAS and plain and decimals >= 6 and rng.random() < 0.5
        self.mark = rng.choice(["## {}", "### {}", "**{}**", "{}:", "## " + STEP_WORDS[self.language] + " {n}: {}"])

    def number(self, entry: "Entry") -> str:
        return entry.text.replace(".", ",") if self.commas else entry.text

    def vector(self, row: "list[Entry]") -> str:
        between = "; " if self.commas else ", "
        opened, shut = self.rng.choice(["[]", "()"]) if not self.commas else ("(", ")")
        return opened + between.join(map(self.number, row)) + shut

    def word(self, name: str) -> str:
        base = name.rstrip("0123456789")
        known = WORDS[self.language].get(base) if self.attention else None
        head = name[len(base) :]
        return name if known is None else known if not head else f"{known} (head {head})"

    def heading(self, name: str, number: int) -> str:
        return self.mark.replace("{n}", str(number)).replace("{}", self.word(name))


def written(page: "Page", rng: Random, form: "Callable[[Speaker, str, list[list[Entry]], Page], list[str]]") -> str:
    """A page: something said before each step, then its numbers."""
    speaker = Speaker(page, rng)
    said = ["# " + rng.choice(["Worked by hand", "My solution", "Notes, week 7", "A small example"]), ""]
    for number, (name, rows) in enumerate(page.items(), start=1):
        said += [rng.choice(CHATTER), ""] if rng.random() < 0.25 else []
        said += [speaker.heading(name, number), ""]
        if page.is_number(name):
            said += [f"{name} {rng.choice(['=', '≈', ':'])} {speaker.number(rows[0][0])}", ""]
        else:
            said += [*form(speaker, name, rows, page), ""]
    return "\n".join(said)


def prose(page: "Page", rng: Random) -> str:
    """Rows inside sentences."""

    def form(speaker: Speaker, name: str, rows: "list[list[Entry]]", page: "Page") -> list[str]:
        if page.ranks[name] == 1:
            return [f"We get {name} = {speaker.vector(rows[0])}, as it should be."]
        lines = [f"Row {i}: {speaker.vector(row)}" for i, row in enumerate(rows, start=1)]
        return lines if rng.random() < 0.5 else [f"- {line}" for line in lines]

    return written(page, rng, form)


def headed(page: "Page", rng: Random) -> str:
    """Tables with names around them, LaTeX under a heading, or the symbol's own line."""

    def form(speaker: Speaker, name: str, rows: "list[list[Entry]]", page: "Page") -> list[str]:
        kind = rng.choice(["table", "latex", "latex" if speaker.commas else "brackets"])
        cells = [[speaker.number(entry) for entry in row] for row in rows]
        if kind == "table" and len(rows) > 1:
            top = "| |" + "|".join(f" {j} " for j in range(1, len(rows[0]) + 1)) + "|"
            body = [f"| **{i}** | " + " | ".join(row) + " |" for i, row in enumerate(cells, start=1)]
            return [top, "|---|" + "---|" * len(rows[0]), *body]
        if kind == "latex":
            body = r" \\ ".join(" & ".join(row) for row in cells)
            return ["$$", rf"{symbol(name)} = \begin{{bmatrix}} {body} \end{{bmatrix}}", "$$"]
        if len(rows) == 1:
            return [f"{name} = {speaker.vector(rows[0])}"]
        return [f"{name} = [{', '.join('[' + ', '.join(e.text for e in row) + ']' for row in rows)}]"]

    return written(page, rng, form)


def symbol(name: str) -> str:
    return name if len(name) == 1 or not name.isalpha() else rf"\text{{{name}}}"


def tokens(page: "Page", rng: Random) -> str:
    """A vector a token, with an arrow, a colon or in a table of two columns."""

    def form(speaker: Speaker, name: str, rows: "list[list[Entry]]", page: "Page") -> list[str]:
        if page.ranks[name] == 1 or len(rows) == 1:
            return [f"{name} = {speaker.vector(rows[0])}"]
        kind = rng.choice(["arrow", "colon", "table"])
        if kind == "table":
            body = [f"| {i} | {speaker.vector(row)} |" for i, row in enumerate(rows, start=1)]
            return [f"| token | {speaker.word(name)} |", "|---|---|", *body]
        sign = " →" if kind == "arrow" else ":"
        return [f"- token {i}{sign} {speaker.vector(row)}" for i, row in enumerate(rows, start=1)]

    return written(page, rng, form)
