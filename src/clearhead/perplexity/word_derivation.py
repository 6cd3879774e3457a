"""Running text as words of a vocabulary, and what it takes to get the text back: spelling, case, digits, spacing."""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass

from clearhead.corpora.vocabularies.words import DIGIT, WordVocabulary
from clearhead.perplexity.side_model import Adaptive, Spelling, fixed, spelled_out

WORD = re.compile(
    r"(?P<gap>\s*)(?P<word>"
    r"(?:[^\W\d_]\.){2,}"  # U.S.
    r"|\d+(?:[.,:/]\d+)*"  # 1,250.5
    r"|'(?:s|re|ve|ll|d|m)\b"  # 's
    r"|n't\b"
    r"|[^\W\d_]+?(?=n't\b)"  # do|n't
    r"|[^\W_]+(?:[-&][^\W_]+)*"
    r"|\.\.\.|--|``|''"
    r"|\S)",
    re.IGNORECASE,
)
QUOTES = {'"': ("``", "''"), "“": ("``", "``"), "”": ("''", "''"), "‘": ("`", "`"), "’": ("'", "'"), "–": ("--", "--")}
QUOTES |= {"—": ("--", "--")}
ENDS = frozenset(".?!")
GAPS = fixed({" ": 0.6, "": 0.3, "\n": 0.05}, spelled_out)
FORMS = fixed({"as is": 0.7, "Capital": 0.2, "UPPER": 0.05, "commas": 0.02, "other": 0.03})
MORE = fixed({"more": 0.99, "end": 0.01})
LONGEST_WORD = 1 << 16  # characters without a space after which a text is cut all the same


@dataclass(frozen=True, slots=True)
class WordToken:
    """A word or the end of a sentence."""

    id: int
    fed: int
    text: str
    charges: dict[str, float]
    unknown: bool = False


class WordDerivation:
    """Tokens of one text; the side model learns along it."""

    def __init__(self, vocabulary: WordVocabulary) -> None:
        self.vocabulary = vocabulary
        self.unknown = Adaptive(Spelling(vocabulary.words), strength=20.0)
        self.others: defaultdict[str, Adaptive] = defaultdict(lambda: Adaptive(spelled_out))
        self.gaps: defaultdict[str, Adaptive] = defaultdict(lambda: Adaptive(GAPS, strength=2.0))
        self.forms: defaultdict[str, Adaptive] = defaultdict(lambda: Adaptive(FORMS, strength=2.0))
        self.more = Adaptive(MORE)

    def tokens(self, chunks: Iterable[str]) -> Iterator[WordToken]:
        """Every word of the text with the gap before it, an end after each sentence, and what is left at the end."""
        vocabulary, inside, before, trailing = self.vocabulary, False, "", ""
        for gap, written in words_of(chunks, self.known_with_point):
            if not written:
                trailing = gap
                continue
            if inside and ends_before(before, gap, written):
                yield WordToken(vocabulary.mask, vocabulary.pad, "", {})
                inside = False
            charges = {} if inside else {"sentences": self.more.cost("more")}
            word = self.canonical(written, gap, before)
            charges |= self.surface(word, written, first=not inside)
            context = word if not word[:1].isalnum() else f"{before[-1:] if not before[-1:].isalnum() else 'a'} a"
            charges["spacing"] = self.gaps[context].cost(gap)
            index = vocabulary.ids[word]
            yield WordToken(index, index, gap + written, charges, index == vocabulary.unknown)
            inside, before = True, written
        if inside:
            yield WordToken(vocabulary.mask, vocabulary.pad, "", {})
        last = {"sentences": self.more.cost("end"), "spacing": self.gaps["end"].cost(trailing)}
        yield WordToken(-1, vocabulary.pad, trailing, last)

    def known_with_point(self, word: str) -> bool:
        """Whether a word such as Mr is known with its point only."""
        return word.lower() + "." in self.vocabulary.ids and word.lower() not in self.vocabulary.ids

    def canonical(self, written: str, gap: str, before: str) -> str:
        """The word of the vocabulary; written quotes become the treebank's opening or closing ones."""
        if written in QUOTES:
            opening = bool(gap) or not before or before in "([{"
            word = QUOTES[written][0 if opening else 1]
            return word if word in self.vocabulary.ids else self.vocabulary.canonical(written)
        return self.vocabulary.canonical(written)

    def surface(self, word: str, written: str, first: bool) -> dict[str, float]:
        """What it costs to tell how a word of the vocabulary was written here."""
        if self.vocabulary.ids[word] == self.vocabulary.unknown:
            return {"unknown words": self.unknown.cost(written)}
        form = form_of(word, written)
        kind = "number" if DIGIT in word else "sign" if not word[:1].isalpha() else "first" if first else "word"
        charges = {"case": self.forms[kind].cost(form)}
        if form == "other":
            charges["case"] += self.others[word].cost(written)
        elif DIGIT in word:
            charges["digits"] = word.count(DIGIT) * math.log(10)
        return charges


def form_of(word: str, written: str) -> str:
    """How a word was written: a form that gives the very letters back (its digits apart), else "other"."""
    if DIGIT in word:
        digits = "".join("0" if c.isascii() and c.isdigit() else c for c in written)
        plain = word.replace(DIGIT, "0")
        return "as is" if digits == plain else "commas" if digits == with_commas(plain) else "other"
    forms = {"as is": word, "Capital": word[:1].upper() + word[1:], "UPPER": word.upper()}
    return next((form for form, result in forms.items() if result == written), "other")


def with_commas(number: str) -> str:
    """
    >>> with_commas("000000.00")
    '000,000.00'
    """
    whole, point, rest = number.partition(".")
    groups = [whole[max(0, end - 3) : end] for end in range(len(whole), 0, -3)]
    return ",".join(reversed(groups)) + point + rest


def ends_before(before: str, gap: str, written: str) -> bool:
    """Whether a sentence ended: a blank line, or a full stop and then no small letter."""
    return gap.count("\n") > 1 or (before in ENDS and bool(gap) and not written[:1].islower())


def words_of(chunks: Iterable[str], with_point: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """(gap before, word) for every word; at the end ("what is left", "")."""
    rest = ""
    for chunk in chunks:
        rest += chunk
        rest = yield from words_before(rest, safe_cut(rest), with_point)
    rest = yield from words_before(rest, len(rest), with_point)
    yield rest, ""


def words_before(text: str, cut: int, with_point: Callable[[str], bool]) -> Generator[tuple[str, str], None, str]:
    """The gap and the word, for words that end before the cut; gives back what is left of the text."""
    place = 0
    while (found := WORD.match(text, place)) is not None and found.end() <= cut:
        word, place = found["word"], found.end()
        if text[place : place + 1] == "." and with_point(word):
            word, place = word + ".", place + 1
        yield found["gap"], word
    return text[place:]


def safe_cut(text: str) -> int:
    """Up to where words can be told for sure: the last space, unless there is none for very long."""
    last = max((found.start() for found in re.finditer(r"\s", text[-LONGEST_WORD:])), default=-1)
    if last >= 0:
        return max(len(text) - LONGEST_WORD, 0) + last
    return len(text) if len(text) > LONGEST_WORD else 0
