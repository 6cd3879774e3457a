"""The index of names, invented names, names by their sound, and the fairness probe."""

from pathlib import Path

import pytest

from clearhead.answering.certainty.fairness_probe import foretold, probe, probe_text
from clearhead.answering.certainty.name_origins import unseen_by_origin
from clearhead.answering.name_index import index_for, index_of, invented_names
from clearhead.answering.question_forms import asking_of
from clearhead.answering.why import teaching_sentence
from clearhead.corpora import Birthplaces, Question, find_corpus
from clearhead.corpora.sources.biographies import same

BIOGRAPHIES = (
    "Ada Lind. Ada Lind was born in Oslo and knew Bo von Quill.",
    "The painter Professor Cora Fenn lived in Bonn in 1931.",
    "ten Cate. He left Oslo.",
    "Leo C. Gray, Jr.. Leo Gray is a judge.",
)
CORPUS = Birthplaces("small", BIOGRAPHIES, (Question("Where was Ada Lind born?", "Oslo"),), ())


@pytest.mark.parametrize(
    "name", ["Ada Lind", "ada  LIND", "Bo von Quill", "Cora Fenn", "Professor Cora Fenn", "ten Cate", "Oslo"]
)
def test_names_that_stand_in_the_corpus_are_seen(name: str) -> None:
    assert name in index_of(BIOGRAPHIES)


@pytest.mark.parametrize("name", ["Ada Fenn", "Ada", "Lind", "1931", "painter", "", "Bo Quill", "Oslo Ada"])
def test_other_names_are_not(name: str) -> None:
    assert name not in index_of(BIOGRAPHIES)


def test_everybody_whom_the_world_writes_about_is_seen() -> None:
    world = find_corpus("world:people=120,biographies_each=2")
    index = index_of(world.biographies)
    missing = [each.text for each in (*world.train, *world.dev) if asking_of(each.text).name not in index]
    assert missing == []


def test_the_index_is_kept_in_the_run_folder_and_a_damaged_one_is_made_again(tmp_path: Path) -> None:
    made = index_for(tmp_path, CORPUS)
    assert index_for(tmp_path, Birthplaces("empty", (), (), ())) == made
    for damaged in ("{", "[]", '{"names": 3}'):
        (tmp_path / "names.json").write_text(damaged)
        assert index_for(tmp_path, CORPUS) == made


def test_invented_people_are_nobody_and_made_of_known_parts() -> None:
    world = find_corpus("world:people=60")
    index = index_of(world.biographies)
    invented = invented_names(world, index, 100)
    known = {asking_of(each.text).name for part in (world.train, world.dev, world.test) for each in part}
    assert len(set(invented)) == 100
    assert invented == invented_names(world, index, 100)
    assert not {same(name) for name in invented} & {same(name) for name in known}
    assert not any(name in " ".join(world.biographies) for name in invented)
    assert {name.split()[-1] for name in invented} <= {name.split()[-1] for name in known}
    assert invented_names(CORPUS, index_of(BIOGRAPHIES), 5) == []  # one person makes nobody new


def test_the_sentence_that_taught_it_holds_name_and_answer() -> None:
    index = index_of(BIOGRAPHIES)
    assert teaching_sentence(CORPUS, index, "Ada Lind", "Oslo") == BIOGRAPHIES[0]
    assert teaching_sentence(CORPUS, index, "Ada Lind", "Bonn") is None
    assert teaching_sentence(CORPUS, index, "Ada Lind", "Osl") is None
    assert teaching_sentence(CORPUS, index, "Nobody Here", "Oslo") is None


@pytest.mark.parametrize(
    ("text", "name", "trained"),
    [
        ("Where was Ada Lind born?", "Ada Lind", True),
        ("  Where was\nAda Lind born? ", "Ada Lind", True),
        ("where was Ada Lind born?", "Ada Lind", False),
        ("In which town was Ada Lind born", "Ada Lind", False),
        ("where was ada lind from?", "where was ada lind from", False),
        ("Was Bo von Quill born in Oslo?", "Bo von Quill", False),
        ("🎻", "🎻", False),
        ("???", "???", False),
    ],
)
def test_the_name_in_a_question(text: str, name: str, trained: bool) -> None:
    asking = asking_of(text)
    assert (asking.name, asking.trained) == (name, trained)


def test_names_by_sound_stand_nowhere() -> None:
    index = index_of([*BIOGRAPHIES, "Karl Schneider. Karl Schneider was born in Bonn."])
    for world in (False, True):
        names = unseen_by_origin(index, world, each=30)
        assert all(len(listed) == 30 for listed in names.values())
        assert not any(name in index for listed in names.values() for name in listed)
        assert len(names) >= 5


def test_a_model_that_goes_by_the_sound_is_found_out_and_one_that_does_not_is_not() -> None:
    origins = ["north"] * 20 + ["south"] * 20
    by_sound = probe(origins, ["Oslo"] * 18 + ["Bonn"] * 2 + ["Rome"] * 20, [True] * 40)
    assert by_sound.follows
    assert (by_sound.by_origin, by_sound.at_large) == (38 / 40, 0.5)
    assert by_sound.rows[0].places == [("Oslo", 18), ("Bonn", 2)]
    assert "goes by how the name sounds" in probe_text(by_sound)
    alike = probe(origins, ["Oslo", "Rome"] * 20, [False] * 40)
    assert not alike.follows
    assert "does not show that there is none" in probe_text(alike)
    assert foretold([], []) == 0.0
