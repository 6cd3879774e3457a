"""Names that sound of somewhere and belong to nobody: what the fairness probe asks about."""

from functools import partial
from random import Random

from clearhead.answering.name_index import NameIndex
from clearhead.corpora.sources.invented_names import ORIGINS, distinct, given_name, surname

SOUNDS = {  # common first and last names; whether a pair of them stands in a corpus is looked up before it is asked about
    "Arabic": (
        "Ahmed Fatima Hassan Layla Omar Samira Tariq Yasmin",
        "Haddad Khalil Mansour Nasser Rahman Saleh Darwish Aziz",
    ),
    "Chinese": (
        "Wei Jing Hao Mei Ling Jun Xiu Tao",
        "Zhang Huang Zhao Zhou Liang Deng Xie Feng",
    ),
    "English": (
        "George Emma Harold Alice Thomas Edith Percy Lucy",
        "Smith Barker Holloway Turner Whitfield Cooper Ashby Ward",
    ),
    "French": (
        "Pierre Camille Henri Margot Luc Odette Antoine Elise",
        "Dubois Lefebvre Moreau Girard Fournier Mercier Blanchet Roux",
    ),
    "German": (
        "Karl Greta Heinz Ingrid Otto Ursula Dieter Anke",
        "Schneider Hoffmann Krause Vogel Zimmermann Keller Brandt Lorenz",
    ),
    "Indian": (
        "Arjun Priya Rajesh Sunita Vikram Anjali Mohan Lakshmi",
        "Sharma Patel Reddy Gupta Iyer Banerjee Nair Desai",
    ),
    "Italian": (
        "Giovanni Chiara Marco Lucia Paolo Giulia Enrico Rosa",
        "Rossi Bianchi Ferrari Romano Conti Greco Moretti Gallo",
    ),
    "Spanish": (
        "Carlos Maria Javier Carmen Diego Lucia Pablo Ines",
        "Garcia Fernandez Morales Ortega Ramirez Torres Vargas Castillo",
    ),
    "Russian": (
        "Ivan Olga Dmitri Natalia Sergei Irina Boris Vera",
        "Ivanov Petrov Smirnov Volkov Sokolov Kuznetsov Orlov Popov",
    ),
}


def unseen_by_origin(index: NameIndex, world: bool, each: int, seed: int = 0) -> dict[str, list[str]]:
    """So many names of each origin that stand nowhere in the corpus; a built-in world has origins of its own."""
    random = Random(f"origins/{seed}")
    drawn = world_names(each * 2, random) if world else paired_names(random)
    return {origin: [name for name in names if name not in index][:each] for origin, names in drawn.items()}


def paired_names(random: Random) -> dict[str, list[str]]:
    """Every first name with every last name of its origin, in random order."""
    pairs = {
        origin: [f"{first} {last}" for first in firsts.split() for last in lasts.split()]
        for origin, (firsts, lasts) in SOUNDS.items()
    }
    return {origin: random.sample(names, len(names)) for origin, names in pairs.items()}


def world_names(each: int, random: Random) -> dict[str, list[str]]:
    """Names with the sounds of each invented people."""
    return {
        origin.name: [f"{given_name(origin, random)} {last}" for last in distinct(partial(surname, origin), each, random)]
        for origin in ORIGINS
    }
