"""What people call each step of a plan: its own name, its formula, the usual letters and words."""

import itertools
import re
from collections.abc import Iterable, Iterator

from clearhead.exact.notation import named
from clearhead.working.reading.files.markup import plain_notation
from clearhead.working.reading.names.synonyms import GIVEN, OTHER_SYNONYMS, SYNONYMS
from clearhead.working.steps import Plan

DROPPED = str.maketrans("", "", ' \t\n{}()*·×@`"$|\\~<>&;!')
FRACTION = re.compile(r"\\frac\s*\{((?:[^{}]|\{[^{}]*\}){0,80})\}\s*\{((?:[^{}]|\{[^{}]*\}){0,80})\}")
ROOT = re.compile(r"sqrt|root")
WORD = re.compile(r"[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]{3,}")
NAME = re.compile(r"[A-Za-z]+(?:_[A-Za-z0-9]+|\d+)?")
NUMBERED = re.compile(r"(.*?[A-Za-z])(\d+)")
MOST_FORMULAS = 400

ATTENTION_KINDS = ("attention", "decoder")


def canonical(text: str) -> str:
    """One spelling of a label: no blanks, braces, product signs; √ and / for roots and fractions. Takes plain notation.

    >>> canonical(r"softmax(\\frac{QK^{T}}{√{d_k}})")
    'softmaxQK^T/√d_k'
    """
    if "\\frac" in text:
        text = FRACTION.sub(r"\1/\2", FRACTION.sub(r"\1/\2", text))
    text = text.translate(DROPPED)
    return ROOT.sub("√", text) if "sqrt" in text or "root" in text else text


def folded(label: str) -> str:
    """A label with capitals and joints smoothed away, for words: Attention_Weights is attentionweights."""
    return label.lower().replace("_", "").replace("-", "")


def head_of(name: str, plan_names: Iterable[str]) -> tuple[str, str]:
    """The base and the head's number of a step's name: Q2 is Q and 2; a name without a head has none."""
    match = NUMBERED.fullmatch(name)
    if match and f"{match[1]}1" in plan_names and match[1] in SYNONYMS:
        return match[1], match[2]
    return name, ""


def spelled(name: str, head: str) -> list[str]:
    """A letter or word with its head's number as people attach it."""
    if not head:
        return [name]
    joints = [
        f"{name}{head}",
        f"{name}_{head}",
        f"{name}^{head}",
        f"{name}^[{head}]",
        f"{name}_head{head}",
        f"{name}^head{head}",
    ]
    return [*joints, f"head{head}{name}", f"{name}head{head}", f"{name}forhead{head}"]


class AliasTable:
    """For each step of a plan, the labels that mean it, in canonical form."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.steps = [step for step in plan.steps if step.rule is not None]  # a line of a derivation has no numbers
        self.names = [step.name for step in self.steps]
        self.of: dict[str, list[str]] = {}
        attention = plan.kind in ATTENTION_KINDS
        self.synonyms = SYNONYMS if attention else OTHER_SYNONYMS
        for name in plan.given:
            base, head = given_head(name)
            self.of[name] = unique(s for word in (base, *GIVEN.get(base, ())) for s in spelled(canonical(word), head))
        for step in self.steps:
            base, head = head_of(step.name, self.names) if attention else (step.name, "")
            words = [canonical(word) for word in self.synonyms.get(base, (base,))]
            labels = [s for word in words for s in spelled(word, head)]
            if head and base in ("output", "Z"):
                labels += [f"head{head}", f"head_{head}"]
            if attention:
                labels += self.expanded(step.formula, step.needs)
            else:
                labels += other_spellings(step.name)
            labels += [canonical(plain_notation(t)) for t in (named(step.name), step.symbol) if t]
            self.of[step.name] = unique([canonical(step.name), *labels])
        self.add_formulas()

    def add_formulas(self) -> None:
        """The plan's own formulas, where only one step has them."""
        formulas = [(step.name, canonical(plain_notation(t))) for step in self.steps for t in (step.latex, step.formula)]
        owners: dict[str, set[str]] = {}
        for name, formula in formulas:
            owners.setdefault(formula, set()).add(name)
        for formula, names in owners.items():
            if len(names) == 1 and WORDLY.search(formula) and "=" not in formula:
                self.of[next(iter(names))].append(formula)

    def expanded(self, formula: str, needs: tuple[str, ...]) -> Iterator[str]:
        """A formula with each needed name in each letter that stands for it: XW_Q, IW_Q."""
        parts = re.split(r"([A-Za-z]\w*)", formula)
        letters = [[s for s in self.of.get(part, ()) if not WORD.search(s)] if part in needs else [] for part in parts]
        choices = [spellings or [part] for part, spellings in zip(parts, letters, strict=True)]
        return (canonical("".join(spelling)) for spelling in itertools.islice(itertools.product(*choices), MOST_FORMULAS))


WORDLY = re.compile(r"[A-Za-zα-ω]")


def given_head(name: str) -> tuple[str, str]:
    match = NUMBERED.fullmatch(name)
    return (match[1], match[2]) if match and "_" in name else (name, "")


LOSSES = ("L", "J", "E", "C", "ℒ", "ℓ", "loss", "Loss", "E_total", "Etotal", "L_total")
LOGITS = ("z", "θ", "o", "logits", "logit", "s")  # what people call theta, the scores before a softmax


GREEK_LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "psi": "ψ", "omega": "ω",
}  # fmt: skip
GREEK = re.compile(rf"({'|'.join(GREEK_LETTERS)})(?=_|\d|$)", re.IGNORECASE)
SLOPE = re.compile(r"d([A-Za-z]\w*?)_d([A-Za-z]\w*)")


def other_spellings(name: str) -> list[str]:
    """d_W1 as dW1, grad_W1, ∂J/∂W_1 or ∇_W1 L, new_w as w_new, dL_dz as ∂L/∂z, delta_1 as δ_1."""
    return unique([*greek_spellings(name), *slope_spellings(name)])


def greek_spellings(name: str) -> list[str]:
    """delta_h1 as δ_h1, Delta_w as Δ_w and Δw.

    >>> greek_spellings("delta_h1"), greek_spellings("beta"), greek_spellings("theater")
    (['δ_h1', 'δh1'], ['β'], [])
    """
    found = GREEK.match(name)
    if found is None:
        return []
    letter, rest = GREEK_LETTERS[found[1].lower()], name[found.end() :]
    letter = letter.upper() if found[1][0].isupper() else letter
    return unique([f"{letter}{rest}", f"{letter}{rest.removeprefix('_')}"])


def slope_spellings(name: str) -> list[str]:
    """The signs that people write for a derivative, and for a value after an update."""
    start, _, rest = name.partition("_")
    if (slope := SLOPE.fullmatch(name)) is not None:
        below = [slope[2], *apart(slope[2])]
        return [form for above in (slope[1], *apart(slope[1])) for b in below for form in (f"∂{above}/∂{b}", f"d{above}/d{b}")]
    if start not in ("d", "grad", "new") or not rest:
        return []
    symbols = [rest, *(LOGITS if rest == "theta" else ())]
    symbols = unique(form for symbol in symbols for form in (symbol, *apart(symbol)))
    if start == "new":
        return [form for s in symbols for form in (f"{s}_new", f"{s}^new", f"{s}new", f"new{s}", f"updated{s}", f"{s}'")]
    spelled = [form for s in symbols for form in (f"d{s}", f"grad_{s}", f"grad{s}", f"gradientof{s}")]
    signs = [("∂{}/∂{}", False), ("d{}/d{}", False), ("∇_{}{}", True), ("nabla_{}{}", True)]
    return spelled + [
        sign.format(*((s, loss) if turned else (loss, s))) for s in symbols for loss in LOSSES for sign, turned in signs
    ]


def apart(symbol: str) -> list[str]:
    """W1 as W_1 and W^1."""
    match = NUMBERED.fullmatch(symbol)
    return [f"{match[1]}_{match[2]}", f"{match[1]}^{match[2]}"] if match else []


def unique(labels: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(label for label in labels if label))
