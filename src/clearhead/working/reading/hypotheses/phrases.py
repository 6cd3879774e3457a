"""What words say: which steps a label, a line above or a heading speaks of, and which row or cell."""

import re
from functools import lru_cache

from clearhead.working.reading.names.labels import Names
from clearhead.working.reading.names.synonyms import COUNTED, FOREIGN, OTHER_SYNONYMS, SYNONYMS
from clearhead.working.reading.page.unit import Unit
from clearhead.working.steps import Step

OWN, TITLE, ABOVE, HEADING, PARENT = 3.0, 2.5, 2.0, 1.0, 0.5
"""How near a step is named: in the statement; a line above that is its name and nothing else; words above; headings."""
ROW_WORD = (
    r"(?:rows?|tokens?|lines?|positions?|words?|query|wiersz\w*|ligne|fila|zeile|riga|linha|строк\w*|токен\w*|слов\w*|토큰|행|"
    r"baris|satır|hàng|mot|wort|palabra|টোকেন|সারি|t\s*=)"
)
ROW = re.compile(
    rf"{ROW_WORD}\s*(?:no\.?|#|_)?\s*\{{?(\d{{1,3}})|第\s*(\d{{1,3}})\s*[行个個]|第\s*([一二三四五六七八九])\s*[行个個]",
    re.IGNORECASE,
)
CHINESE = {sign: str(number) for number, sign in enumerate("一二三四五六七八九", start=1)}
NAME = re.compile(r"\w+")
NUMBERED = re.compile(r"(.*?)(\d+)")
HEAD = re.compile(r"head\s*[#_]?\s*\{?(\d{1,2})|(\d{1,2})(?:st|nd|rd|th)\s+head|第\s*(\d)\s*个?头", re.IGNORECASE)
WORDS = re.compile(r"[^\W\d_]", re.UNICODE)
NEXT = re.compile(r"\s*[,;]\s[^\d=]{5,}\d")  # behind a number, words that speak of the next one: , after scaling 1.18
PRODUCT = re.compile(r"[∂·×*/+@]|\\frac|\^\{?T|\d[A-Za-z]|(?<=\w)\s\.\s")
SYMBOL = re.compile(
    r"(?<![A-Za-z\\])([A-Za-zα-ω][A-Za-z]{0,2}'?)((?:[_^]\{?[^\s{}=()]{1,12}\}?|\[[^\]]{1,8}\]){0,2})(?![A-Za-z(])"
)


class Phrases:
    """The words of one plan."""

    def __init__(self, names: Names, attention: bool) -> None:
        self.names = names
        self.steps: dict[str, Step] = names.steps
        self.families: dict[str, list[str]] = {}  # weights → weights1, weights2: the same step of every head or layer
        for name in self.steps:
            self.families.setdefault(self.base_of(name), []).append(name)
        table = SYNONYMS if attention else OTHER_SYNONYMS
        spoken: dict[str, str] = {}
        for base in self.families:
            counted = COUNTED if base == "weights" and not attention else ()
            for word in (*counted, *table.get(base, ()), *FOREIGN.get(base, ()), *named_words(base, self.families)):
                if len(word) > 2 or not word.isascii():
                    spoken.setdefault(" ".join(word.lower().replace("-", " ").split()), base)
        self.spoken = spoken
        ordered = sorted(spoken, key=len, reverse=True)
        self.pattern = re.compile("|".join(bounded(word) for word in ordered)) if ordered else None
        self.said = lru_cache(maxsize=4096)(self.find)
        self.known: dict[int, list[tuple[float, frozenset[str]]]] = {}  # levels of the units of one page
        self.named: dict[int, frozenset[str]] = {}  # steps that they name exactly

    def forget(self) -> None:
        """What was found out about the units of one page."""
        self.known.clear()
        self.named.clear()

    def base_of(self, name: str) -> str:
        match = NUMBERED.fullmatch(name)
        return match[1] if match and (f"{match[1]}1" in self.steps) and f"{match[1]}2" in self.steps else name

    def find(self, text: str) -> frozenset[str]:
        """The families that a text speaks of in words."""
        if self.pattern is None or not text:
            return frozenset()
        if "_" in text and (named := {word for word in NAME.findall(text) if "_" in word and word in self.steps}):
            return frozenset(map(self.base_of, named))  # weights_a is not weights
        said = frozenset(self.family_of(found[0]) for found in self.pattern.finditer(text.lower().replace("_", " ")))
        return said - {"scores"} if said & {"scaled", "masked"} else said  # puntuaciones escaladas

    def family_of(self, word: str) -> str:
        """The family of a word as it was found, in the plural or with a hyphen."""
        smooth = " ".join(word.replace("-", " ").split())
        spellings = (word, smooth, word[:-1], smooth[:-1], word[:-2], smooth[:-2])
        return next(self.spoken[spelling] for spelling in spellings if spelling in self.spoken)

    def levels(self, unit: Unit) -> list[tuple[float, frozenset[str]]]:
        """What is said of a unit, from nearest to farthest: how near, and of which families."""
        if id(unit) not in self.known:
            self.known[id(unit)] = self.levels_of(unit)
        return self.known[id(unit)]

    def levels_of(self, unit: Unit) -> list[tuple[float, frozenset[str]]]:
        own: set[str] = set()
        for label in [*unit.labels, unit.prefix, unit.column]:
            own |= self.own(label, unit) if NEXT.match(label) is None else set()
        found = [(OWN, frozenset(own))]
        found += [(TITLE if self.is_title(text, unit) else ABOVE, self.own_or_said(text, unit)) for text in unit.above]
        found += [(HEADING if at == 0 else PARENT, self.headed(text, unit)) for at, text in enumerate(unit.headings)]
        return [(near, said) for near, said in found if said]

    def own(self, label: str, unit: Unit) -> set[str]:
        """The families that a label in the statement itself names, by symbol, formula or words."""
        bare = label.strip(" ,.;*`")
        if not bare or len(bare) > 200:
            return set()
        found = self.names.resolve(bare, self.head_of(unit))
        if found is not None:
            return {self.base_of(name) for name in found.names}
        said = set(self.said(bare)) or {self.base_of(name) for name in bare.split()[-1:] if name in self.steps}  # we get mean
        if not said and len(bare) < 60 and not PRODUCT.search(bare):
            found_labels = [self.names.resolve(mark[0], self.head_of(unit)) for mark in SYMBOL.finditer(bare)]
            families = {self.base_of(one.names[0]) for one in found_labels if one is not None and one.names}
            said |= families if len(families) == 1 else set()  # two of them are a product of both
        return said

    def exactly(self, unit: Unit) -> frozenset[str]:
        """The steps that a unit's own labels, or the line above it, name without leaving anything open."""
        if id(unit) not in self.named:
            head = self.head_of(unit)
            found = [self.names.resolve(label.strip(" ,.;*`"), head) for label in unit.labels]
            found += [self.names.resolve(unit.prefix.strip(" ,.;*`"), head)] if unit.prefix else []
            if not any(one is not None and one.names for one in found):
                found = [self.names.resolve(text.strip(" #*`_:="), head) for text in unit.above[:1] if len(text) < 60]
            self.named[id(unit)] = frozenset(one.names[0] for one in found if one is not None and one.names and not one.which)
        return self.named[id(unit)]

    def is_title(self, text: str, unit: Unit) -> bool:
        """Whether a line is the name of a step and nothing else."""
        bare = text.strip(" #*`_:=")
        found = self.names.resolve(bare, self.head_of(unit)) if len(bare) < 60 else None
        return found is not None and bool(found.names)

    def own_or_said(self, text: str, unit: Unit) -> frozenset[str]:
        short = text.strip(" #:*`_")
        return frozenset(self.own(short, unit)) if len(short) < 60 else self.said(text)

    def headed(self, text: str, unit: Unit) -> frozenset[str]:
        """The families that a heading speaks of: its words, or a name and nothing else, Step 6: Z."""
        return self.said(text) or (self.own_or_said(text, unit) if self.is_title(text, unit) else frozenset())

    def says(self, unit: Unit, step: str) -> float:
        """How near a unit the step is named; below 0 where something nearer names another one only."""
        family = self.base_of(step)
        exact = self.exactly(unit)
        if exact and step not in exact and any(self.base_of(name) == family for name in exact):
            return -1.0  # another head's, or another layer's
        nearest = 0.0
        for near, said in self.levels(unit):
            if family in said:
                return near if not nearest else min(near, ABOVE) - 1.5
            nearest = nearest or near
        return -nearest / 3 if nearest >= ABOVE else 0.0

    def head_of(self, unit: Unit) -> str:
        """The head that a unit stands under."""
        for text in (*unit.labels, unit.prefix, *unit.above, *unit.headings):
            match = HEAD.search(text) if "ead" in text or "头" in text else None
            if match is not None:
                number = next(group for group in match.groups() if group)
                if number in self.names.heads:
                    return number
        return ""

    def number_said(self, unit: Unit) -> str:
        """The row that is told by its number: Row 2, Token 0, 第二行."""
        for text in (unit.prefix, *unit.labels, *unit.above[:1]):
            match = ROW.search(text)
            if match is not None:
                return match[1] or match[2] or CHINESE[match[3]]
        return ""

    def names_said(self, unit: Unit, names: tuple[str, ...]) -> list[int]:
        """The places of the names that a unit's own words hold, in the order of the words; then those of the line above."""
        for texts in ((unit.prefix, *unit.labels), unit.above[:1]):
            spots = [spot for text in (" ; ".join(texts),) for spot in named_in(text, names)]
            if spots:
                return spots
        return []


@lru_cache(maxsize=4096)
def named_in(text: str, names: tuple[str, ...]) -> list[int]:
    found: list[tuple[int, int]] = []
    for place, name in enumerate(names):
        if name and name not in names[:place]:
            edge = r"(?<![\w])" if name[0].isalnum() and name.isascii() else ""
            for mark in re.finditer(
                edge + re.escape(name) + (r"(?![\w])" if name[-1].isalnum() and name.isascii() else ""), text
            ):
                found.append((mark.start(), place))
    return [place for _, place in sorted(found)]


def named_words(base: str, families: dict[str, list[str]]) -> tuple[str, ...]:
    """Words that a step's own name allows: d_w is the gradient where there is no other, new_w what is updated."""
    gradients = [name for name in families if name.startswith("d_")]
    if base.startswith("d_") and len(gradients) == 1:
        return "grad", "gradient", "gradients", "slope", "gradiente", "gradienten", "градиент", "梯度"
    if base.startswith("new_"):
        alone = sum(name.startswith("new_") for name in families) == 1
        return (
            "update",
            "updated",
            "new weight",
            "new weights",
            *(("new", "nuevo", "nouveau", "nuovo", "neu") if alone else ()),
        )
    return ()


def bounded(word: str) -> str:
    spelled = re.escape(word).replace(r"\ ", r"[\s-]+")
    return rf"(?<![^\W\d_]){spelled}(?:s|es)?(?![^\W\d_])" if word.isascii() else spelled
