"""The corpus of the knowledge experiment, read from the course's four files or invented: one shape for both."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from clearhead.errors import InputError

BIOGRAPHIES, TRAIN, DEV, TEST = "wiki.txt", "birth_places_train.tsv", "birth_dev.tsv", "birth_test_inputs.tsv"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and its answer where it is known."""

    text: str
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Birthplaces:
    """One-line biographies, and questions about people in three parts that share nobody."""

    name: str
    biographies: tuple[str, ...]
    train: tuple[Question, ...]
    dev: tuple[Question, ...]
    test: tuple[Question, ...] = ()
    dropped: int = 0  # training questions left out because they stand in dev or test too
    folder: Path | None = None  # where its files lie; None: made on the spot

    @property
    def text(self) -> str:
        """The biographies as one text with line ends: what the course takes its characters from."""
        return "".join(biography + "\n" for biography in self.biographies)

    def files(self) -> list[Path]:
        places = [] if self.folder is None else [self.folder / name for name in (BIOGRAPHIES, TRAIN, DEV, TEST)]
        return [place for place in places if place.exists()]

    def documents(self) -> list[str]:
        return [*self.biographies, *(question.text for question in self.train)]

    def training_text(self) -> Iterator[str]:
        return (f"{document}\n" for document in self.documents())

    def class_names(self) -> tuple[str, ...]:
        return ()


def read_birthplaces(folder: Path) -> Birthplaces:
    """Read a folder with the course's four file names; the test questions may be missing, and need no answers."""
    missing = [name for name in (BIOGRAPHIES, TRAIN, DEV) if not (folder / name).is_file()]
    if missing:
        raise InputError(f"{folder}: must hold {BIOGRAPHIES}, {TRAIN}, {DEV} and {TEST}; missing: {', '.join(missing)}.")
    biographies = [line for _, line in lines_of(folder / BIOGRAPHIES)]
    if not biographies:
        raise InputError(f"{folder / BIOGRAPHIES}: at least one biography is needed; the file is empty.")
    dev = read_questions(folder / DEV)
    test = read_questions(folder / TEST, labelled=False) if (folder / TEST).exists() else []
    found = without_leaks(folder.name, biographies, read_questions(folder / TRAIN), dev, test)
    return replace(found, folder=folder)


def without_leaks(
    name: str, biographies: Iterable[str], train: Sequence[Question], dev: Iterable[Question], test: Iterable[Question]
) -> Birthplaces:
    """The corpus without those training questions that stand in dev or test too, however they are spaced or cased."""
    dev, test = tuple(dev), tuple(test)
    held_out = {same(question.text) for question in (*dev, *test)}
    kept = tuple(question for question in train if same(question.text) not in held_out)
    return Birthplaces(name, tuple(biographies), kept, dev, test, dropped=len(train) - len(kept))


def read_questions(file: Path, labelled: bool = True) -> list[Question]:
    """Read `question TAB answer` lines; blank lines are passed over, and every letter is kept."""
    questions = []
    for number, line in lines_of(file):
        text, _, answer = (part.strip() for part in line.partition("\t"))
        if labelled and not (text and answer and "\t" not in answer):
            raise InputError(f"{file}, line {number}: a question, one tab and an answer were expected; got {line[:60]!r}.")
        if not text:
            raise InputError(f"{file}, line {number}: a question was expected; got {line[:60]!r}.")
        questions.append(Question(text, answer or None))
    if labelled and not questions:
        raise InputError(f"{file}: at least one question is needed; the file is empty.")
    return questions


def lines_of(file: Path) -> list[tuple[int, str]]:
    """The lines of a UTF-8 file that are not blank, with their numbers from 1."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{file}: a text file was expected; {(error.strerror or str(error)).lower()}.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(
            f"{file}, line {line}: UTF-8 text was expected; got byte 0x{error.object[error.start]:02x}."
        ) from error
    # Only line feeds end a line: str.splitlines would also cut at letters such as U+0085 and U+2028.
    lines = enumerate((line.removesuffix("\r") for line in text.split("\n")), 1)
    return [(number, line) for number, line in lines if line.strip()]


def most_common_answer(questions: Iterable[Question]) -> str:
    """The answer given most often, the first in the alphabet where several are: what "London" is to the real corpus."""
    counts = Counter(question.answer for question in questions if question.answer is not None)
    if not counts:
        raise InputError("the most common answer needs questions with answers; none of these has one.")
    return min(counts, key=lambda answer: (-counts[answer], answer))


def same(text: str) -> str:
    """What two spellings of one question have in common."""
    return " ".join(text.split()).casefold()
