"""Byte-pair merges as live cells: other words or counts give other pairs, another merge and other tokens.

For every merge there are three helpers: all neighbours one below the other, with the number of each pair where it first comes;
which neighbours are merged; and which token each token becomes. Words may grow by a few letters.
"""

from itertools import accumulate

from clearhead.exact.decimals import as_float
from clearhead.working.kinds.bpe import MostFrequent, PairCounts, Spelling, merged, pairs_of
from clearhead.working.steps import Labels, Step, Working
from clearhead.working.variants.beam_sheet import block, cell_at
from clearhead.working.variants.sheet_page import FIRST_COLUMN, SheetPage

ROOM = 2  # letters that a word may have more than the longest


def add_merges(sheet: SheetPage, working: Working) -> None:
    """Words and counts, the letters, then merge after merge."""
    words = working.plan.labels["counts"][1]
    counts = [as_float(cell) for cell in working.values["counts"].rows[0]]
    spelt: list[Spelling] = [tuple(word) for word in words]
    tokens = Tokens(sheet, words, counts)
    for step in working.plan.steps:
        if isinstance(step.rule, PairCounts):
            tokens.add_pairs(working, step, spelt)
        elif isinstance(step.rule, MostFrequent):
            best = pairs_of(spelt)[int(as_float(working.values[step.name].cell)) - 1]
            tokens.add_merge(step, spelt, best)
            spelt = [merged(word, best) for word in spelt]
        else:
            tokens.add_total(working, step)


class Tokens:
    """Where the tokens of each word stand now, and how often each word comes."""

    def __init__(self, sheet: SheetPage, words: Labels, counts: list[float]) -> None:
        self.sheet, self.height = sheet, len(words)
        self.width = max(len(word) for word in words) + ROOM
        sheet.title(f"words and counts (a word may have up to {self.width} letters)")
        for n, (word, count) in enumerate(zip(words, counts, strict=True)):
            sheet.text(sheet.next_row, FIRST_COLUMN + n, word, "given text")
            sheet.page.write_number(sheet.next_row + 1, FIRST_COLUMN + n, count, sheet.formats["given"])
        self.words, sheet.places["counts"] = sheet.next_row, (sheet.next_row + 1, FIRST_COLUMN)
        sheet.next_row += 3
        sheet.title("inside: how often each word comes, and its tokens", "inside")
        self.top, self.left = sheet.next_row, FIRST_COLUMN + 1
        for w, word in enumerate(words):
            self.add_count(w, counts[w])
            for k in range(self.width):
                letter = f"MID({cell_at(self.words, FIRST_COLUMN + w)},{k + 1},1)"
                sheet.formula(self.top + w, self.left + k, letter, word[k : k + 1], "helper")
        sheet.next_row += self.height + 1
        self.counts = counts

    def add_count(self, w: int, count: float) -> None:
        self.sheet.formula(self.sheet.next_row + w, FIRST_COLUMN, cell_at(self.words + 1, FIRST_COLUMN + w), count, "helper")

    def add_pairs(self, working: Working, step: Step, spelt: list[Spelling]) -> None:
        """All neighbours, one below the other: the pair, how often its word comes, its number where it comes first."""
        sheet, each = self.sheet, self.width - 1
        sheet.title("inside: neighbours, how often their word comes, and the number of the pair where it comes first", "inside")
        first = sheet.next_row
        numbers = {pair: n for n, pair in enumerate(pairs_of(spelt), start=1)}
        met: set[tuple[str, str]] = set()
        for n in range(self.height * each):
            w, k = divmod(n, each)
            row, here, after = first + n, cell_at(self.top + w, self.left + k), cell_at(self.top + w, self.left + k + 1)
            pair = (spelt[w][k], spelt[w][k + 1]) if k + 1 < len(spelt[w]) else None
            own = cell_at(row, FIRST_COLUMN)
            new = pair is not None and pair not in met
            seen = f"SUMPRODUCT(EXACT({block(first, FIRST_COLUMN, n, 1)},{own})*1)=0" if n else ""
            number = f"MAX({block(first, FIRST_COLUMN + 2, n, 1)})+1" if n else "1"
            number = f"IF({seen},{number},0)" if n else number
            sheet.formula(row, FIRST_COLUMN, f'IF({after}="","",{here}&" "&{after})', " ".join(pair or ()), "helper")
            sheet.formula(row, FIRST_COLUMN + 1, cell_at(self.top + w, FIRST_COLUMN), self.counts[w], "helper")
            sheet.formula(
                row, FIRST_COLUMN + 2, f'IF({own}="",0,{number})', float(numbers[pair]) if new and pair else 0.0, "helper"
            )
            met |= {pair} if pair is not None else set()
        sheet.next_row += self.height * each + 1
        self.add_pair_counts(working, step, first, self.height * each)

    def add_pair_counts(self, working: Working, step: Step, first: int, count: int) -> None:
        sheet = self.sheet
        pairs, weights, numbers = (block(first, FIRST_COLUMN + n, count, 1) for n in range(3))
        sheet.title(f"{step.name} = {step.formula}")
        row, values = sheet.next_row, working.values[step.name].rows[0]
        room = sum(1 for w in range(self.height) for _ in range(self.width - 1))
        self.room = min(room, len(values) + self.height * ROOM)
        for n in range(self.room):
            label = step.columns[n] if n < len(values) else ""
            named = cell_at(row, FIRST_COLUMN + n)
            sheet.formula(row, FIRST_COLUMN + n, f'IFERROR(INDEX({pairs},MATCH({n + 1},{numbers},0)),"")', label, "column")
            counted = sheet.rounded(f"SUMPRODUCT(EXACT({pairs},{named})*{weights})")
            value: float | str = as_float(values[n]) if n < len(values) else ""
            sheet.formula(row + 1, FIRST_COLUMN + n, f'IF({named}="","",{counted})', value)
        sheet.places[step.name] = (row + 1, FIRST_COLUMN)
        self.pair_row = row
        sheet.next_row += 3

    def add_merge(self, step: Step, spelt: list[Spelling], best: tuple[str, str]) -> None:
        """The place of the largest count, then the tokens as they are after it."""
        sheet = self.sheet
        sheet.title(f"{step.name} = {step.formula}")
        counted = block(self.pair_row + 1, FIRST_COLUMN, 1, self.room)
        sheet.places[step.name] = (sheet.next_row, FIRST_COLUMN)
        place = cell_at(sheet.next_row, FIRST_COLUMN)
        found = pairs_of(spelt).index(best) + 1
        sheet.formula(sheet.next_row, FIRST_COLUMN, f"MATCH(MAX({counted}),{counted},0)", float(found), "answer")
        pair = f"INDEX({block(self.pair_row, FIRST_COLUMN, 1, self.room)},{place})"
        sheet.formula(sheet.next_row, FIRST_COLUMN + 1, pair, " ".join(best), "helper")
        pair_cell = "$" + cell_at(sheet.next_row, FIRST_COLUMN + 1)
        sheet.next_row += 2
        joined = self.add_joined(pair_cell, spelt, best)
        places = self.add_places(joined, spelt, best)
        self.add_tokens(joined, places, [merged(word, best) for word in spelt])

    def add_joined(self, pair: str, spelt: list[Spelling], best: tuple[str, str]) -> int:
        """1 where a token swallows the next one, from left to right."""
        sheet = self.sheet
        sheet.title("inside: 1 where a token is merged with the next", "inside")
        row = sheet.next_row
        for w, word in enumerate(spelt):
            flags = joined_flags(word, best)
            for k in range(self.width):
                here, after = cell_at(self.top + w, self.left + k), cell_at(self.top + w, self.left + k + 1)
                free = f",{cell_at(row + w, self.left + k - 1)}=0" if k else ""
                formula = f'IF(AND(EXACT({here}&" "&{after},{pair}){free}),1,0)' if k + 1 < self.width else "0"
                sheet.formula(row + w, self.left + k, formula, float(k < len(word) and flags[k]), "helper")
        sheet.next_row += self.height + 1
        return row

    def add_places(self, joined: int, spelt: list[Spelling], best: tuple[str, str]) -> int:
        """Which token of the word each one is afterwards; 0 for those that were swallowed."""
        sheet = self.sheet
        sheet.title("inside: which token of its word each one is afterwards (0: swallowed, or none)", "inside")
        row = sheet.next_row
        for w, word in enumerate(spelt):
            flags = joined_flags(word, best)
            kept = [not (k and flags[k - 1]) for k in range(len(word))]
            numbers = [n if stays else 0 for n, stays in zip(accumulate(kept), kept, strict=True)]
            for k in range(self.width):
                here = cell_at(self.top + w, self.left + k)
                swallowed = f",{cell_at(joined + w, self.left + k - 1)}=1" if k else ""
                before = f"MAX({block(row + w, self.left, 1, k)})+1" if k else "1"
                formula = f'IF(OR({here}=""{swallowed}),0,{before})'
                sheet.formula(row + w, self.left + k, formula, float(numbers[k] if k < len(word) else 0), "helper")
        sheet.next_row += self.height + 1
        return row

    def add_tokens(self, joined: int, places: int, spelt: list[Spelling]) -> None:
        sheet = self.sheet
        sheet.title("inside: how often each word comes, and its tokens now", "inside")
        row = sheet.next_row
        for w, word in enumerate(spelt):
            self.add_count(w, self.counts[w])
            tokens, flags, numbers = (block(top + w, self.left, 1, self.width) for top in (self.top, joined, places))
            for k in range(self.width):
                at = f"MATCH({k + 1},{numbers},0)"
                text = f'IFERROR(INDEX({tokens},{at})&IF(INDEX({flags},{at})=1,INDEX({tokens},{at}+1),""),"")'
                sheet.formula(row + w, self.left + k, text, word[k] if k < len(word) else "", "helper")
        self.top = row
        sheet.next_row += self.height + 1

    def add_total(self, working: Working, step: Step) -> None:
        sheet = self.sheet
        sheet.title(f"{step.name} = {step.formula}")
        tokens, weights = block(self.top, self.left, self.height, self.width), block(self.top, FIRST_COLUMN, self.height, 1)
        sheet.places[step.name] = (sheet.next_row, FIRST_COLUMN)
        total = sheet.rounded(f'SUMPRODUCT(({tokens}<>"")*{weights})')
        sheet.formula(sheet.next_row, FIRST_COLUMN, total, as_float(working.values[step.name].cell))
        sheet.next_row += 2


def joined_flags(word: Spelling, best: tuple[str, str]) -> list[bool]:
    """Which tokens swallow the next one, from left to right.

    >>> joined_flags(("a", "a", "a"), ("a", "a"))
    [True, False, False]
    """
    flags: list[bool] = []
    for k, token in enumerate(word):
        free = not (flags and flags[-1])
        flags.append(free and k + 1 < len(word) and (token, word[k + 1]) == best)
    return flags
