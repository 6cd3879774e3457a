"""Labels → steps: which step, row or cell of a plan a piece of text names."""

import re
from dataclasses import dataclass
from functools import lru_cache

from clearhead.working.reading.names.aliases import ATTENTION_KINDS, WORD, AliasTable, canonical, folded, head_of
from clearhead.working.reading.names.formulas import Role, formula_role, role_named
from clearhead.working.reading.names.synonyms import LETTERS
from clearhead.working.steps import Plan, Step

LONGEST_LABEL = 160
MOST_REMEMBERED = 4_096
LETTER = re.compile(r"[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]")
EDGES = " \t.,:;*_#>`'\"-=→?!"
STEP_WORD = (
    r"(?:step|part|stage|phase|move|schritt|teil|paso|parte|étape|etape|partie|passo|krok|część|шаг|этап|часть|단계|"
    r"ステップ|手順|步骤|步驟|阶段|stap|steg|adım|langkah|bước|fase|etapa)"
)
NUMBERING = re.compile(
    rf"^(?:{STEP_WORD}\s*\d+\w?|part\s*\(?\w\)?|question\s*\d+\w?|第\s*[\d一二三四五六七八九十]+\s*(?:步|阶段|部分)|"
    r"\(?\d+(?:\.\d+)*[a-h]?[.):,]|\(?[a-h]\)|[ivx]+\.)[\s.:：)–-]*",
    re.IGNORECASE,
)
IN_BRACKETS = re.compile(r"(?<=\s)\([^()]*[A-Za-z][^()]*\)")
HEAD = re.compile(r"\bhead\s*[#_]?\s*\{?(\d{1,2})\}?|\b(first|second|third|fourth)\s+head\b", re.IGNORECASE)
ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
ROW = re.compile(
    r"^(.*?)[\s,:({-]*\b(?:row|token|position|line)\s*(?:no\.?|#)?\s*_?\{?(\d{1,4})\}?\)?(?:\s*(?:of|in|for)\s+(.*))?$",
    re.IGNORECASE,
)
BRACKETED = re.compile(r"(.+?)_?\[([^\[\]]*)\](?:\[([^\[\]]*)\])?")
SUBSCRIPTED = re.compile(r"(.+)_([^_]+)")
TWICE = re.compile(r"(.+)_([^_]+)_([^_]+)")
APPENDED = re.compile(r"(.*?[^\d,])(\d+)(?:,(\d+|:))?")
PATTERNS = ((BRACKETED, "bracket"), (SUBSCRIPTED, "subscript"), (TWICE, "subscript"), (APPENDED, "subscript"))
DOT_PRODUCT = re.compile(r"q_?(\d+)(?:\^T)?[·.]?k_?(\d+)(?:\^T)?")
CHANCE = re.compile(r"P\(?y_?\{?(\d+)\}?=(.+?)\)?")
FILLER = """
a after all an and apply applying are as as: be before below by calculate calculated calculating calculation
compute computed computing each exactly finally find finding first follows for get gets give given gives have
hence here i.e. is it's let matrices matrix mean means multiply multiplying namely next now obtain obtained of
our result resulting rounded row row-wise rows rowwise so step steps table take taking that the then therefore
this thus to using vector vectors we where which with yield yields
"""
STOP = frozenset(FILLER.split())


@dataclass(frozen=True, slots=True)
class Label:
    """What a piece of text names: steps that it may mean, and the row, or row and column, as written. No names: a given."""

    names: tuple[str, ...]
    index: tuple[str, ...] = ()
    style: str = ""  # how the index is written, one of gathering.STYLES
    turned: bool = False  # the transpose was named
    here: bool = False  # a row of the step that is being written: "Row 2", "cat"
    which: bool = False  # names one step of every head, and nothing says which head is meant


class Names:
    """All labels of a plan."""

    def __init__(self, plan: Plan) -> None:
        table = AliasTable(plan)
        self.steps: dict[str, Step] = {step.name: step for step in table.steps}
        self.given = frozenset(plan.given) - self.steps.keys()
        self.exact: dict[str, tuple[str, ...]] = {}
        self.folded: dict[str, tuple[str, ...]] = {}
        self.letters: dict[str, tuple[str, ...]] = {}
        self.bare: dict[str, dict[str, str]] = {}  # inside a head: Q means Q2
        self.heads: set[str] = set()
        for name in [*self.steps, *self.given]:
            for label in table.of[name]:
                self.add(label, name)
        self.roles: dict[str, Role] = {}  # of each step of attention
        self.by_role: dict[Role, str] = {}
        if plan.kind in ATTENTION_KINDS:
            self.add_heads(table)
        self.columns = {column for step in plan.steps for column in step.columns}
        self.remembered: dict[tuple[str, str], Label | None] = {}

    def add(self, label: str, name: str) -> None:
        target = () if name in self.given else (name,)
        if label not in self.exact:  # earlier steps and own names first
            self.exact[label] = target
        if WORD.search(label):
            self.folded.setdefault(folded(label), target)

    def add_heads(self, table: AliasTable) -> None:
        """Letters with an index, and what a bare letter means inside each head."""
        bases = {name: head_of(name, table.names) for name in self.steps}
        for name in self.steps:  # a step's own name always means it
            self.exact[canonical(name)] = (name,)
        several = any(head for _, head in bases.values())
        for name, (base, head) in bases.items():
            self.roles[name] = role_named(base, head, several)
            self.by_role[self.roles[name]] = name
            for letter in LETTERS.get(base, ()):
                spelling = f"{letter}^{head}" if head else letter
                self.letters[spelling] = (*self.letters.get(spelling, ()), name)
            if head:
                self.heads.add(head)
                inside = self.bare.setdefault(head, {})
                for label in table.synonyms.get(base, (base,)):
                    inside.setdefault(canonical(label), name)
                    inside.setdefault(folded(canonical(label)), name)
                for letter in LETTERS.get(base, ()):
                    inside.setdefault(letter, name)
                for label in table.of[name]:
                    inside.setdefault(label.replace(f"_{head}", "").replace(f"^{head}", ""), name)

    def resolve(self, text: str, head: str = "") -> Label | None:
        """The label that a text is, or None."""
        if len(text) > LONGEST_LABEL or LETTER.search(text) is None:
            return None
        key = (text, head)
        if key not in self.remembered:
            if len(self.remembered) > MOST_REMEMBERED:
                self.remembered.clear()
            self.remembered[key] = self.find(text, head)
        return self.remembered[key]

    def find(self, text: str, head: str) -> Label | None:
        label = text.strip(EDGES)
        if not label:
            return None
        return (
            self.spelled(canonical(label), head)
            or self.chance(label)
            or self.row_in_words(label, head)
            or (self.among_words(label, head) if " " in label or "(" in label else None)
        )

    def whole(self, label: str, head: str) -> tuple[str, ...] | None:
        """The steps that a canonical label means as a whole."""
        found = self.exact.get(label)
        inside = self.bare.get(head, {}) if head else {}
        smooth = folded(label) if WORD.search(label) else label
        name = inside.get(label) or inside.get(smooth)
        if name is not None:
            return (name, *(found or ())) if found != (name,) else found
        return found if found is not None else self.folded.get(smooth) if smooth in self.folded else None

    def spelled(self, label: str, head: str) -> Label | None:
        """A canonical label: a whole step, its transpose, or one with an index."""
        names = self.whole(label, head)
        if names is None and self.roles:
            names = self.by_formula(label, head)
        if names is not None:
            return Label(names)
        turned = label.endswith("^T")
        if turned:
            label = label[:-2]
            names = self.whole(label, head)
            if names is not None:
                return Label(names, turned=True)
        if label in self.letters:
            return Label(self.letters[label], turned=turned)
        if match := DOT_PRODUCT.fullmatch(label):
            names = self.whole("scores", head)
            return Label(names, (match[1], match[2]), "subscript") if names else None
        return self.indexed(label, head) or self.of_some_head(label, head)

    def of_some_head(self, label: str, head: str) -> Label | None:
        """Q or q_1 where every head has one: all that can be said is that the head is missing."""
        if head or not self.heads:
            return None
        found = self.spelled(label, min(self.heads))
        return Label(found.names[:1], found.index, found.style, which=True) if found is not None and found.names else None

    def by_formula(self, label: str, head: str) -> tuple[str, ...] | None:
        """softmax(QK^T)V and the like, put together from the labels of their parts."""

        def role_of(part: str) -> Role | None:
            names = self.whole(part, head)
            return self.roles.get(names[0]) if names else None

        role = formula_role(label, role_of)
        return (self.by_role[role],) if role in self.by_role else None

    def indexed(self, label: str, head: str) -> Label | None:
        for pattern, style in PATTERNS:
            match = pattern.fullmatch(label)
            if match is None:
                continue
            parts = [part for group in match.groups()[1:] if group for part in group.split(",")]
            if len(parts) == 2 and parts[1] == ":":
                parts = parts[:1]
            base = match[1]
            names = self.base(base[:-2] if base.endswith("^T") and base not in self.letters else base, head)
            if names is None or not 1 <= len(parts) <= 2:
                continue
            if not names:
                return Label(())  # a cell or row of a given
            if all(self.is_index(part, names) for part in parts):
                return Label(names, tuple(parts), "twice" if style == "bracket" and match[3] else style)
        return None

    def base(self, label: str, head: str) -> tuple[str, ...] | None:
        """What stands before an index: a step's label, or the small letter of its rows."""
        inside = self.bare.get(head, {}).get(label) if head else None
        if inside is not None:
            return (inside,)
        letters = self.letters.get(label)
        names = letters if letters is not None else self.whole(label, head)
        return self.by_formula(label, head) if names is None and self.roles else names

    def is_index(self, part: str, names: tuple[str, ...]) -> bool:
        return (part.isdigit() and part.isascii() and len(part) < 5) or any(
            part in map(canonical, self.steps[name].rows) or part in map(canonical, self.steps[name].columns) for name in names
        )

    def chance(self, label: str) -> Label | None:
        """P(y_5 = A): one probability, by position and token."""
        if "probabilities" not in self.steps or "=" not in label:
            return None
        match = CHANCE.fullmatch(canonical(label))
        if match is None or match[2] not in map(canonical, self.steps["probabilities"].columns):
            return None
        return Label(("probabilities",), (match[1], match[2]), "subscript")

    def row_in_words(self, label: str, head: str) -> Label | None:
        """Row 2; row 2 of Q; Q, row 2."""
        match = ROW.match(label)
        if match is None:
            return None
        other = " ".join(part for part in (match[1], match[3]) if part).strip(EDGES)
        if not other or all(word in STOP for word in other.lower().split()):
            return Label((), (match[2],), "row", here=True)
        whole = self.resolve(other, head)
        return Label(whole.names, (match[2],), "row") if whole and whole.names and not whole.index else None

    def among_words(self, label: str, head: str) -> Label | None:
        """A label inside a heading or a short sentence: every word that is not filler must name the same thing."""
        label = NUMBERING.sub("", label)
        named = HEAD.search(label)
        if named and self.heads:
            head = named[1] or ORDINALS[named[2].lower()]
            label = label[: named.start()] + " " + label[named.end() :]
        outside = IN_BRACKETS.sub(" ", label)
        words = [word for word in outside.split() if word.lower().strip(EDGES) not in STOP]
        kept = " ".join(words).strip(EDGES)
        if not kept or len(words) > 8:
            return None
        found = self.spelled(canonical(kept), head)
        if found is not None:
            return found
        each = {self.spelled(canonical(word.strip(EDGES)), head) for word in words}
        return each.pop() if len(each) == 1 else None

    def head_named(self, text: str) -> str:
        """The head that a heading names, or nothing."""
        match = HEAD.search(text) if self.heads and "head" in text.lower() else None
        number = "" if match is None else match[1] or ORDINALS[match[2].lower()]
        return number if number in self.heads else ""


@lru_cache(maxsize=32)
def names_for(signature: "Signature") -> Names:
    return Names(signature.plan)


class Signature:
    """A plan as far as its labels go, so that a class of workings builds them once."""

    __slots__ = ("key", "plan")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        steps = tuple((s.name, s.formula, s.latex, s.symbol, s.needs, s.rows, s.columns) for s in plan.steps)
        self.key = (plan.kind, tuple(plan.given), steps)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and self.key == other.key
