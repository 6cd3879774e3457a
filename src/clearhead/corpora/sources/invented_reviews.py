"""Small film reviews made on the spot from a seed, for trying a classifier where there is no data.

They hold what makes reviews hard for an average of words: praise beside blame, words turned round by a "not", and openings that
the ending takes back. What the writer thinks is what the last sentence says.
"""

import random
from collections.abc import Iterator

COUNT = 6000

PARTS = ("the plot", "the cast", "the music", "the ending", "the dialogue", "the camera work", "the pacing", "the villain")
GOOD = ("wonderful", "moving", "clever", "charming", "gripping", "superb", "fresh", "delightful", "honest", "brilliant")
BAD = ("dull", "clumsy", "tedious", "hollow", "awful", "lazy", "predictable", "messy", "painful", "forgettable")
FILMS = ("film", "movie", "picture", "story", "sequel", "comedy", "thriller", "drama")
PLACES = ("on a train", "with my sister", "at a festival", "late at night", "on a rainy Sunday", "with the whole family")
LIKED = ("I would watch it again.", "Go and see it!", "It stayed with me for days.", "Worth every minute.")
DISLIKED = ("I nearly walked out.", "Save your money!", "I checked my watch twice.", "Two hours of my life are gone.")
HOPES = ("I had high hopes for this {film}.", "Everybody said this {film} was {other}.", "The first ten minutes are {other}.")
NEGATED = (
    "{Part} is not {word}.",
    "{Part} is never for a moment {word}.",
    "I would not call {part} {word}.",
    "Nobody could say that {part} is {word}.",
)


def invent_reviews(count: int = COUNT, seed: int = 0) -> Iterator[tuple[str, int]]:
    """Reviews with their labels, half of each; the same seed gives the same ones."""
    for number in range(count):
        chance = random.Random(f"small-reviews/{seed}/{number}")
        label = number % 2
        yield invented(chance, label), label


def invented(chance: random.Random, label: int) -> str:
    """One review by somebody who liked the film (1) or did not (0)."""
    own, other = (GOOD, BAD) if label else (BAD, GOOD)
    parts = chance.sample(PARTS, 4)
    sentences = [f"I saw this {chance.choice(FILMS)} {chance.choice(PLACES)}."]
    if chance.random() < 0.2:  # as much praise as blame: only the order tells
        sentences += [plain(chance, part, other) for part in parts[:2]]
        sentences += [plain(chance, part, own) for part in parts[2:]]
        return " ".join(sentences)
    if chance.random() < 0.35:  # an opening that the rest takes back
        sentences.append(chance.choice(HOPES).format(film=chance.choice(FILMS), other=chance.choice(other)))
        sentences += [plain(chance, part, other) for part in parts[2 : 2 + chance.randint(0, 2)]]
    for part in parts[: chance.randint(1, 2)]:
        turned = chance.random() < 0.3
        sentences.append(negated(chance, part, other) if turned else plain(chance, part, own))
    if chance.random() < 0.6:
        sentences.append(chance.choice(LIKED if label else DISLIKED))
    return " ".join(sentences)


def plain(chance: random.Random, part: str, words: tuple[str, ...]) -> str:
    first, second = chance.sample(words, 2)
    return f"{part.capitalize()} is {first}" + (f" and {second}." if chance.random() < 0.4 else ".")


def negated(chance: random.Random, part: str, words: tuple[str, ...]) -> str:
    return chance.choice(NEGATED).format(part=part, Part=part.capitalize(), word=chance.choice(words))
