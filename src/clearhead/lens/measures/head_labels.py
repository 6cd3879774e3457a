"""What a head looks like. A label is a measure that is high, and higher than it would be without training or without this text.

Two controls stand beside every measure: the same model before it learned anything, with several seeds, and the same trained
model on the tokens of the text in shuffled orders, at the same places. A label that does not stand out from blank models
fails; one that is about the words must stand out from shuffled texts too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from clearhead.lens.looks import Seen
from clearhead.lens.measures.head_measures import measured_heads

MARGIN = 0.1  # by so much must a measure be above the highest of a control


@dataclass(frozen=True, slots=True)
class HeadKind:
    """A label: what it measures, from where on it is given, and whether shuffled texts must lie below."""

    name: str
    measure: str
    least: float
    of_words: bool = False


KINDS = (
    HeadKind("previous token", "previous", 0.4),
    HeadKind("first token", "first", 0.5),
    HeadKind("itself", "itself", 0.5),
    HeadKind("same token", "same", 0.3),
    HeadKind("after the same token", "after_same", 0.3, of_words=True),
    HeadKind("name to answer", "names", 0.5, of_words=True),
    HeadKind("broad", "spread", 0.9),
)
NEAR = 0.9  # of the least: below it a label is not even mentioned


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label that a head got, or failed to get: the measure, its controls, and why it failed."""

    name: str
    measure: str
    value: float
    blank: float | None  # the highest of blank models; None: there was no control
    shuffled: float | None
    failed: str  # empty: the label holds

    @property
    def holds(self) -> bool:
        return not self.failed

    def __str__(self) -> str:
        return f"{self.name} ({self.told()})" if self.holds else f"not {self.name}: {self.failed} ({self.told()})"

    def told(self) -> str:
        """The measure and its controls.

        >>> Labelled("previous token", "previous", 0.91, 0.3, 0.88, "").told()
        'previous 91%, blank model 30%, shuffled 88%'
        """
        parts = [f"{self.measure} {self.value:.0%}"]
        parts += [f"blank model {self.blank:.0%}"] if self.blank is not None else []
        parts += [f"shuffled {self.shuffled:.0%}"] if self.shuffled is not None else []
        return ", ".join(parts)

    def tree(self) -> dict[str, object]:
        """As JSON has it."""
        return {
            "label": self.name,
            "holds": self.holds,
            "measure": self.measure,
            "value": round(self.value, 4),
            "blank": None if self.blank is None else round(self.blank, 4),
            "shuffled": None if self.shuffled is None else round(self.shuffled, 4),
            "failed": self.failed,
        }


def labels_of(look: Seen) -> dict[str, list[Labelled]]:
    """For each head the labels that hold, the strongest first, then those that came near and failed; worked out once."""
    if "labels" not in look.worked_out:
        look.worked_out["labels"] = tried_labels(look)
    found: dict[str, list[Labelled]] = look.worked_out["labels"]
    return found


def tried_labels(look: Seen) -> dict[str, list[Labelled]]:
    """Every kind of label for every head, against the controls."""
    controls = {name: [measured_heads(each) for each in looks] for name, looks in look.controls.items()}
    found: dict[str, list[Labelled]] = {}
    for head, measures in measured_heads(look).items():
        tried = []
        for kind in KINDS:
            value = getattr(measures, kind.measure)
            if isnan(value) or value < kind.least * NEAR:
                continue
            blank, shuffled = (
                highest([getattr(each[head], kind.measure) for each in controls.get(name, []) if head in each])
                for name in ("blank", "shuffled")
            )
            tried.append(Labelled(kind.name, kind.measure, value, blank, shuffled, why_not(kind, value, blank, shuffled)))
        found[head] = sorted(tried, key=lambda each: (not each.holds, -each.value))
    return found


def why_not(kind: HeadKind, value: float, blank: float | None, shuffled: float | None) -> str:
    """What speaks against a label; empty: nothing."""
    if value < kind.least:
        return f"it takes {kind.least:.0%}"
    if blank is not None and value < blank + MARGIN:
        return "a blank model does the same"
    if kind.of_words and shuffled is not None and value < shuffled + MARGIN:
        return "it does the same on shuffled words"
    return ""


def highest(values: Sequence[float]) -> float | None:
    """The highest of what could be measured; None where nothing could."""
    known = [value for value in values if not isnan(value)]
    return max(known) if known else None
