"""Whether a sentence about an attention map is true, decided from the weights alone. Imports nothing of clearhead."""

import math
import re
from collections.abc import Sequence
from fractions import Fraction

Map = Sequence[Sequence[Fraction]]
LISTED = 8


def is_true(sentence: str, weights: Map, outputs: Sequence[str], inputs: Sequence[str]) -> bool:
    """Read the claim back from its words and recompute it; words that are not understood are not true."""
    for pattern, check in CHECKS:
        match = re.fullmatch(pattern, sentence)
        if match:
            return check(match, weights, list(outputs), list(inputs))
    return False


def names_agree(written: str, wanted: list[str], last: str = "and") -> bool:
    if not wanted:
        return False
    if len(wanted) > LISTED:
        return written == f"{', '.join(wanted[:LISTED])} {last} {len(wanted) - LISTED} more"
    return written == (wanted[0] if len(wanted) == 1 else f"{', '.join(wanted[:-1])} {last} {wanted[-1]}")


def most(match: re.Match[str], weights: Map, outputs: list[str], inputs: list[str]) -> bool:
    totals = [sum((row[j] for row in weights), Fraction(0)) for j in range(len(inputs))]
    first = [name for name, total in zip(inputs, totals, strict=True) if total == max(totals)]
    rows = int(match["rows"] or 1)
    return names_agree(match["names"], first) and Fraction(match["total"]) == max(totals) and rows == len(weights)


def own(match: re.Match[str], weights: Map, outputs: list[str], inputs: list[str]) -> bool:
    those = [outputs[i] for i, row in enumerate(weights) if sorted(row)[-1:] == [row[i]] and list(row).count(row[i]) == 1]
    if match["who"] == "No output looks":
        return not those
    if match["who"] == "Every output looks":
        return len(those) == len(outputs)
    counted = re.match(r"(\d+) of (\d+) outputs", match["who"])
    return (
        counted is not None
        and (int(counted[1]), int(counted[2])) == (len(those), len(outputs))
        and names_agree(match["names"] or "", those)
    )


def bits(row: Sequence[Fraction]) -> float:
    return sum(-float(w) * math.log(w) / math.log(2) for w in row if w > 0)


def word(row: Sequence[Fraction]) -> str:
    if sum(1 for w in row if w > 0) == 1:
        return "one input alone"
    if all(w == row[0] for w in row):
        return "all alike"
    share = bits(row) / (math.log(len(row)) / math.log(2))
    return "nearly even" if share >= 0.95 else "sharp" if share <= 0.25 else "mixed"


def same(written: str, value: float) -> bool:
    return abs(float(written) - value) <= 0.005 + 1e-9


def each_row(match: re.Match[str], weights: Map, outputs: list[str], inputs: list[str]) -> bool:
    told = match["each"].split("; ")
    if len(told) != len(outputs) or not same(match["most"], math.log2(len(inputs))):
        return False
    for piece, name, row in zip(told, outputs, weights, strict=True):
        found = re.fullmatch(r"(.*): ([\d.]+), ([a-z ]+)", piece)
        if found is None or found[1] != name or not same(found[2], bits(row)) or found[3] != word(row):
            return False
    return True


def all_rows(match: re.Match[str], weights: Map, outputs: list[str], inputs: list[str]) -> bool:
    entropies = [bits(row) for row in weights]
    words = [word(row) for row in weights]
    low, high = entropies[outputs.index(match["low_name"])], entropies[outputs.index(match["high_name"])]
    ends = same(match["low"], min(entropies)) and same(match["high"], max(entropies))
    counts = {name: int(count) for count, of, name in re.findall(r"(\d+) of (\d+) rows: ([a-z ]+)", match["counts"])}
    return (
        ends
        and math.isclose(low, min(entropies), abs_tol=1e-9)
        and math.isclose(high, max(entropies), abs_tol=1e-9)
        and same(match["most"], math.log2(len(inputs)))
        and counts == {name: words.count(name) for name in set(words)}
    )


def unseen(match: re.Match[str], weights: Map, outputs: list[str], inputs: list[str]) -> bool:
    return names_agree(match["names"], [inputs[j] for j in range(len(inputs)) if all(row[j] == 0 for row in weights)], "or")


def all_seen(match: re.Match[str], weights: Map, outputs: list[str], inputs: list[str]) -> bool:
    return all(any(row[j] > 0 for row in weights) for j in range(len(inputs)))


BITS = r"[\d.]+"
CHECKS = [
    (
        rf"Looked at most (?:is|are) (?P<names>.*): the weights as shown add up to (?P<total>{BITS})(?: each)? "
        r"(?:over the (?P<rows>\d+) rows|in the one row)\.",
        most,
    ),
    (
        r"(?P<who>No output looks|Every output looks|\d+ of \d+ outputs looks?) most at (?:its|their) own position"
        r"(?:: (?P<names>.*))?\.",
        own,
    ),
    (
        rf"Entropy of each row as shown, from 0 bits \(one input alone\) to (?P<most>{BITS}) \(all alike\): (?P<each>.*)\.",
        each_row,
    ),
    (
        rf"Entropy of the rows as shown: from (?P<low>{BITS}) bits \((?P<low_name>.*?)\) to (?P<high>{BITS}) "
        rf"\((?P<high_name>.*?)\), (?P<most>{BITS}) at most; (?P<counts>.*)\.",
        all_rows,
    ),
    (r"Nobody looks at (?P<names>.*): every output gives weight 0, as shown\.", unseen),
    (r"Every input has a weight above 0 from some output, as shown\.", all_seen),
]
