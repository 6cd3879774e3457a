"""Every `clearhead` line in a code block of README.md runs as it stands; blocks marked `text` are shown only.

A block is one story: its commands run in order, in one folder that is empty at the start.
"""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from clearhead.cli import main

README = Path(__file__).parent.parent / "README.md"


def code_blocks(text: str) -> list[tuple[str, list[str]]]:
    """The language and the lines of each code block, fenced or indented."""
    blocks: list[tuple[str, list[str]]] = []
    fenced = inside = False
    for line in text.splitlines():
        fence = re.match(r"\s*```\s*(\w*)", line)
        if fence:
            fenced, inside = not fenced, False
            if fenced:
                blocks.append((fence[1], []))
        elif fenced:
            blocks[-1][1].append(line)
        elif line.startswith("    "):
            if not inside:
                blocks.append(("", []))
            inside = True
            blocks[-1][1].append(line[4:])
        elif line.strip():
            inside = False
    assert not fenced, "a code block is not closed"
    return blocks


def stories(text: str) -> list[list[str]]:
    """The `clearhead` lines of each block that is to be run."""
    joined = [(language, "\n".join(lines).replace("\\\n", " ")) for language, lines in code_blocks(text) if language != "text"]
    found = [[line.strip() for line in body.splitlines() if line.strip().startswith("clearhead ")] for _, body in joined]
    return [story for story in found if story]


def run_story(story: list[str]) -> list[int]:
    arguments = [shlex.split(line, comments=True)[1:] for line in story]
    assert not {"|", ">", ">>", "<", "&&", ";"} & {word for words in arguments for word in words}, (
        "no shell here: plain commands"
    )
    return [main(words) for words in arguments]


@pytest.mark.parametrize("story", stories(README.read_text(encoding="utf-8")), ids=" ; ".join)
def test_the_commands_of_the_readme_run(story: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_story(story) == [0] * len(story)


def test_the_python_of_the_readme_does_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = [lines for language, lines in code_blocks(README.read_text(encoding="utf-8")) if language == "python"]
    monkeypatch.chdir(tmp_path)  # what they save
    assert shown
    for lines in shown:
        test = doctest.DocTestParser().get_doctest("\n".join(lines) + "\n", {}, "README", str(README), 0)
        assert test.examples, f"write it as a doctest, so that it can be run: {lines[0]}"
        assert doctest.DocTestRunner().run(test).failed == 0


SAMPLE = """
Text that names `clearhead nothing` is not run.

    clearhead --version   # indented
    clearhead --help

```sh
pip install clearhead
clearhead \\
    --version
```

```text
clearhead train for a week
```
"""


def test_which_lines_are_run() -> None:
    assert stories(SAMPLE) == [["clearhead --version   # indented", "clearhead --help"], ["clearhead      --version"]]
    assert [run_story(story) for story in stories(SAMPLE)] == [[0, 0], [0]]


@pytest.mark.parametrize("wrong", ["clearhead wrok examples/self-attention", "clearhead --vresion"])
def test_a_wrong_command_is_rejected(wrong: str) -> None:
    assert run_story(stories(f"    {wrong}")[0]) == [2]


def test_a_pipe_is_rejected() -> None:
    with pytest.raises(AssertionError, match="plain commands"):
        run_story(["clearhead --version | head"])


def test_a_command_of_the_readme_that_is_shown_only_is_marked_so() -> None:
    assert stories(SAMPLE.replace("```text", "```sh"))[-1] == ["clearhead train for a week"]
