"""Characters against words on one text: what is unknown, how long it gets, what it costs, and the bits a byte."""

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from clearhead.corpora import build_world
from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import share
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "300 people instead of 1,500"
WIDTH = 256  # of a vector in a table
ORDERS = (0, 1, 2, 3, 4, 5)  # tokens looked back over


def two_parts(trial: Trial) -> tuple[str, str]:
    """Biographies of the built-in world, one a person, cut so that the second part is of other people."""
    world = build_world(seed=trial.seed, people=300 if trial.quick else 1500, biographies_each=1)
    cut = len(world.biographies) * 4 // 5
    return "\n".join(world.biographies[:cut]), "\n".join(world.biographies[cut:])


def words_of(text: str) -> list[str]:
    """Words and what stands between them, so that the tokens put together are the text again."""
    return re.findall(r"\w+|\W", text)


def experiment(trial: Trial, parts: Callable[[Trial], tuple[str, str]] = two_parts) -> Finding:
    train, held = parts(trial)
    tokens = {"characters": (list(train), list(held)), "words": (words_of(train), words_of(held))}
    tables = {name: set(known) for name, (known, _) in tokens.items()}
    unknown = {name: share(sum(each not in tables[name] for each in new), len(new)) for name, (_, new) in tokens.items()}
    lengths = {name: len(new) / len(held.encode()) for name, (_, new) in tokens.items()}
    rows = {name: len(table) for name, table in tables.items()}
    longer = lengths["characters"] / lengths["words"]
    spell = price(list(train), order=3)  # what a word that is not known is spelled by
    bits = {"characters": [], "words": []}  # type: dict[str, list[float]]
    for order in ORDERS:
        for name, (known, new) in tokens.items():
            bits[name].append(cost(known, new, order, spell) / len(held.encode()))
    best = {name: min(found) for name, found in bits.items()}
    return Finding(
        {
            "bytes of held-out text": len(held.encode()),
            "unknown tokens: characters": unknown["characters"],
            "unknown tokens: words": unknown["words"],
            "tokens a byte: characters, words": list(lengths.values()),
            "rows of the table: characters, words": list(rows.values()),
            "numbers in it at width 256": [WIDTH * count for count in rows.values()],
            "pairs that attention compares, characters for words": longer**2,
            "bits a byte, looking back 0 to 5 tokens: characters": bits["characters"],
            "the same: words, unknown ones spelled": bits["words"],
        },
        {
            "characters meet next to nothing unknown, words do": unknown["characters"].value < 0.001 < unknown["words"].low,
            "characters need the smaller table, by three times or more": rows["words"] > 3 * rows["characters"],
            "words need the shorter sequence, by half or less": longer > 2,
        },
        graphs(
            [
                Graph(
                    f"Bits a byte: best {best['characters']:.2f} by characters, {best['words']:.2f} by words",
                    Axis("tokens looked back over"),
                    Axis("bits a byte"),
                    [Trace(name, list(zip(ORDERS, found, strict=True))) for name, found in bits.items()],
                )
            ]
        ),
    )


def price(known: Sequence[Hashable], order: int) -> Callable[[Sequence[Hashable], int], float]:
    """The share of a token after those before it: counts of every order, each mixed into the next (Witten–Bell)."""
    counts: list[Counter[tuple[Hashable, ...]]] = [
        Counter(tuple(known[place : place + size]) for place in range(len(known) - size + 1)) for size in range(1, order + 2)
    ]
    followers = [Counter(gram[:-1] for gram in table) for table in counts]  # distinct tokens after each beginning
    totals = [Counter[tuple[Hashable, ...]]() for _ in counts]
    for table, total in zip(counts, totals, strict=True):
        for gram, times in table.items():
            total[gram[:-1]] += times

    def after(tokens: Sequence[Hashable], place: int) -> float:
        chance = 1 / (len(counts[0]) + 1)  # the one more is for what is not known
        for size in range(min(order, place) + 1):
            gram = tuple(tokens[place - size : place + 1])
            total, kinds = totals[size][gram[:-1]], followers[size][gram[:-1]]
            if total:
                chance = (counts[size][gram] + kinds * chance) / (total + kinds)
        return chance

    return after


def cost(known: list[str], new: list[str], order: int, spell: Callable[[Sequence[Hashable], int], float]) -> float:
    """Bits for all new tokens; one that is not known costs its own share and then its letters, one by one, with an end."""
    after, table, bits = price(known, order), set(known), 0.0
    for place, token in enumerate(new):
        bits -= math.log2(after(new, place))
        if token not in table:
            letters = [*token, " "]
            bits -= sum(math.log2(spell(letters, at)) for at in range(len(letters)))
    return bits
