"""The index of names and invented names on the real biographies."""

from pathlib import Path

import pytest

from clearhead.answering.certainty.name_origins import unseen_by_origin
from clearhead.answering.name_index import index_of, invented_names
from clearhead.answering.question_forms import asking_of
from clearhead.corpora import read_birthplaces


@pytest.mark.real
def test_everybody_who_is_asked_about_is_seen_and_nobody_invented_is(real_data: Path) -> None:
    corpus = read_birthplaces(real_data / "birthplaces")
    index = index_of(corpus.biographies)
    names = [asking_of(question.text) for part in (corpus.train, corpus.dev, corpus.test) for question in part]
    assert all(asking.trained for asking in names)
    assert [asking.name for asking in names if asking.name not in index] == []
    invented = invented_names(corpus, index, 1000)
    assert len(set(invented)) == 1000
    text = "\n".join(corpus.biographies).casefold()
    assert not any(name.casefold() in text for name in invented)
    by_sound = unseen_by_origin(index, world=False, each=30)
    assert {len(listed) for listed in by_sound.values()} == {30}
    assert not any(name.casefold() in text for listed in by_sound.values() for name in listed)
