"""A new model is one file and one line: then it is trained, sampled, and resumed to the very same weights."""

from pathlib import Path
from shutil import copytree

from extensions.conftest import Copy

MODEL = '''
"""The mean of the last few tokens' vectors, and one linear map to the next token."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, pad

from clearhead.models.model import Family, LanguageModel


@dataclass(frozen=True, kw_only=True)
class BlurConfig:
    """Sizes."""

    vocab: int
    width: int = 8
    context: int = 16
    back: int = 3  # tokens that are averaged


class Blur(LanguageModel):
    """Each place says what follows from the mean of its last tokens."""

    def __init__(self, config: BlurConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab, config.width)
        self.head = nn.Linear(config.width, config.vocab)

    @property
    def block(self) -> int:
        return self.config.context

    def forward(self, tokens: Tensor) -> Tensor:
        x = pad(self.embedding(tokens), (0, 0, self.config.back - 1, 0))  # (batch, n + back - 1, width)
        return self.head(x.unfold(1, self.config.back, 1).mean(-1))  # (batch, n, vocab)

    def loss(self, inputs: Tensor, targets: Tensor) -> Tensor:
        counted = targets >= 0
        return cross_entropy(self(inputs)[counted], targets[counted])

    def reader(self) -> "BlurReader":
        return BlurReader(self)

    def sight(self, n: int) -> Tensor:
        return torch.ones(n, n, dtype=torch.bool).tril() & ~torch.ones(n, n, dtype=torch.bool).tril(-self.config.back)


class BlurReader:
    """The tokens so far; the last few are enough."""

    def __init__(self, model: Blur) -> None:
        self.model, self.read_so_far = model, []

    @torch.no_grad()
    def read(self, tokens: Sequence[int]) -> Tensor:
        self.read_so_far += tokens
        return self.model(torch.tensor([self.read_so_far]))[0, -len(tokens) :]


FAMILY = Family(BlurConfig, Blur)
'''.lstrip()
RECIPE = """
name = "blur"
corpus = "text.txt"
epochs = 2

[model]
kind = "blur"

[[objectives]]
kind = "windows"

[training]
batch = 256
save_every = 4
"""


def last_weights(run: Path) -> bytes:
    newest = max((run / "checkpoints").iterdir(), key=lambda folder: int(folder.name))
    return (newest / "weights.safetensors").read_bytes()


def test_a_model_is_one_file_and_one_line(package: Copy) -> None:
    package.add("models/blur.py", MODEL)
    package.extend("models/registry.py", "FAMILIES = (", '    "blur",')
    (package.folder / "blur.toml").write_text(RECIPE, encoding="utf-8")
    (package.folder / "text.txt").write_text("the cat sat on the mat and the dog sat on the cat. " * 60, encoding="utf-8")

    package.clearhead("train", "blur.toml", "--out", "whole")
    drawn = package.clearhead("sample", "whole", "--prompt", "the ", "--tokens", "20")
    assert len(drawn.strip()) > 10
    copytree(package.folder / "whole", package.folder / "halves")
    steps = sorted((package.folder / "halves" / "checkpoints").iterdir(), key=lambda folder: int(folder.name))
    assert len(steps) == 2, "there must be a checkpoint to go back to"
    for file in steps[-1].iterdir():
        file.unlink()
    steps[-1].rmdir()
    package.clearhead("train", "blur.toml", "--out", "halves", "--resume")
    assert last_weights(package.folder / "halves") == last_weights(package.folder / "whole")
