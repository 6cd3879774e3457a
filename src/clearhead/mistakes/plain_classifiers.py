"""What people would pick instead: logistic regression on counts of words, or on pixels; same split, same words."""

from typing import Any

from clearhead.corpora.sources.digits import Digits
from clearhead.corpora.sources.reviews import Reviews, words_of
from clearhead.errors import MissingExtraError


def plain_accuracies(corpus: Reviews | Digits, words: int) -> dict[str, float]:
    """The accuracy of each plain classifier on what the corpus holds out."""
    return bags_of_words(corpus, words) if isinstance(corpus, Reviews) else pixels(corpus)


def bags_of_words(corpus: Reviews, words: int) -> dict[str, float]:
    """Logistic regressions on counts and on tf-idf of the `words` most frequent words."""
    from_sklearn("feature_extraction.text")
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    train, held_out = list(corpus.training()), list(corpus.validation())
    found = {}
    solving: dict[str, Any] = {"solver": "liblinear"} if len(corpus.class_names()) == 2 else {"max_iter": 500}
    for name, counter, looseness in (
        ("bag of words, logistic regression", CountVectorizer, 0.1),
        ("tf-idf, logistic regression", TfidfVectorizer, 4.0),
    ):
        counting = counter(analyzer=words_of, max_features=words)
        counts = counting.fit_transform(review.text for review in train)
        regression = LogisticRegression(C=looseness, **solving).fit(counts, [review.label for review in train])
        others = counting.transform(review.text for review in held_out)
        found[name] = float(regression.score(others, [review.label for review in held_out]))
    return found


def pixels(corpus: Digits) -> dict[str, float]:
    from_sklearn("linear_model")
    from sklearn.linear_model import LogisticRegression

    train, held_out = corpus.training(), corpus.validation()
    flat = [pictures.pixels.reshape(len(pictures.labels), -1) / 255 for pictures in (train, held_out)]
    regression = LogisticRegression(C=0.05, max_iter=300).fit(flat[0], train.labels)
    return {"logistic regression on pixels": float(regression.score(flat[1], held_out.labels))}


def from_sklearn(part: str) -> Any:
    try:
        return __import__(f"sklearn.{part}")
    except ImportError as error:
        raise MissingExtraError("a baseline needs scikit-learn; install it: pip install 'clearhead[train]'.") from error
