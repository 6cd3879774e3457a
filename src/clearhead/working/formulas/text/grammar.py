"""Formulas read from text: a small parser by binding strength. Nothing is ever evaluated as code.

A library parser was tried: importing lark and building its grammar takes 130 ms, which is more than working most problems.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from clearhead.exact.decimals import parse_number
from clearhead.exact.notation import plain
from clearhead.working.formulas.text.complaints import counted, is_member, unknown
from clearhead.working.formulas.text.formula_tokens import FormulaError, Token, tokens_of
from clearhead.working.formulas.text.short_trees import constant, larger_of, smaller_of
from clearhead.working.formulas.text.tree import Call, Name, Node, Number, Slice

DEEPEST = 40
LARGEST_POWER = 100
BINDING = {"+": 1, "-": 1, "*": 2, "·": 2, "/": 2, "⊙": 2, "@": 4}
NEGATED, TIGHT, POWERED = 3, 4, 5
OPS = {"+": "add", "-": "subtract", "*": "star", "·": "dot", "/": "divide", "⊙": "times", "@": "product"}
SAME_FUNCTION = {"concat": "beside", "σ": "sigmoid"}
LOGS = ("ln", "log2", "log10")


@dataclass(frozen=True, slots=True, eq=False)
class Functions:
    """What the parser must know of the functions: how many tables and how many fixed numbers each takes."""

    tables: dict[str, tuple[int, int]]
    fixed: dict[str, tuple[int, int]]


class Parser:
    """One formula, read from left to right."""

    def __init__(self, formula: str, known: Collection[str], functions: Functions, indices: dict[str, int]) -> None:
        self.formula, self.known, self.functions, self.indices = formula, known, functions, indices
        self.tokens = tokens_of(formula)
        self.position = 0
        self.depth = 0

    def parse(self) -> Node:
        if self.here.kind == "end":
            raise FormulaError('is empty; write a formula such as "x W + b"')
        tree = self.expression(0)
        if self.here.kind != "end":
            raise self.fault(f"{self.here.text!r} is not expected")
        return tree

    @property
    def here(self) -> Token:
        return self.tokens[self.position]

    def take(self) -> Token:
        self.position += 1
        return self.tokens[self.position - 1]

    def expect(self, sign: str, opened: Token) -> None:
        if self.here.text != sign:
            found = "the end" if self.here.kind == "end" else repr(self.here.text)
            raise self.fault(
                f"{sign!r} is missing: {opened.text!r} at character {opened.at + 1} is still open, and here is {found}"
            )
        self.take()

    def fault(self, sentence: str) -> FormulaError:
        return FormulaError(f"{sentence}, at character {self.here.at + 1} of {self.formula!r}")

    def expression(self, least: int) -> Node:
        """Everything that binds more tightly than `least`."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fault(f"brackets more than {DEEPEST} deep; name a part of it as a step of its own")
        left = self.signed()
        while True:
            token = self.here
            if token.text in BINDING and token.kind == "sign":
                if BINDING[token.text] <= least:
                    break
                if token.text == "/":
                    self.require_one_reading(left)
                self.take()
                left = Call(OPS[token.text], (left, self.expression(BINDING[token.text])), at=left.at)
            elif self.starts_operand(token):
                if least >= TIGHT:
                    break
                left = Call("product", (left, self.expression(TIGHT)), at=left.at)
            else:
                break
        self.depth -= 1
        return left

    def require_one_reading(self, over: Node) -> None:
        """1/n sum(x): the sum over n, or one over both? `/` binds less tightly, but hardly anybody means that here."""
        slash, below, after = self.tokens[self.position : self.position + 3]
        together = not slash.apart and not below.apart and after.apart and below.kind == "name"
        if isinstance(over, Number) and together and self.starts_operand(after):
            one, rest = plain(over.value), f"{after.text}…"
            told = f"write ({one}/{below.text}) {rest} or {one}/({below.text} {rest})"
            raise self.fault(f"{one}/{below.text} {rest} can be read in two ways; {told}")

    def starts_operand(self, token: Token) -> bool:
        return token.kind in ("number", "name") or token.text in ("(", "[", "√")

    def signed(self) -> Node:
        if self.here.text in ("-", "+") and self.here.kind == "sign":
            token = self.take()
            inside = self.expression(NEGATED)
            if token.text == "+":
                return inside
            return Number(-inside.value, token.at) if isinstance(inside, Number) else Call("negate", (inside,), at=token.at)
        return self.powered()

    def powered(self) -> Node:
        base = self.operand()
        while self.here.kind == "sign" and self.here.text in ("^", "ᵀ", "²", "³"):
            token = self.take()
            if token.text == "ᵀ" or (token.text == "^" and self.here.text in ("T", "ᵀ")):
                if token.text == "^":
                    self.take()
                base = Call("transpose", (base,), at=base.at)
            elif token.text == "^":
                base = Call("power", (base,), (self.exponent(),), at=base.at)
            else:
                base = Call("power", (base,), (Fraction(2 if token.text == "²" else 3),), at=base.at)
        return base

    def exponent(self) -> Fraction:
        minus = self.here.text == "-" and bool(self.take())
        token = self.here
        value = constant(self.operand()) if token.kind != "end" else None
        if value is None:
            raise self.fault("a power needs a number after ^ (A^2, A^(1/2)), or T for a transpose")
        if abs(value.numerator) > LARGEST_POWER or value.denominator > LARGEST_POWER:
            raise self.fault(f"a power beyond {LARGEST_POWER} is not worked by hand")
        return -value if minus else value

    def operand(self) -> Node:
        token = self.here
        if token.kind == "number":
            if self.is_fraction():
                above, _, below = (self.take() for _ in range(3))
                return Call("divide", tuple(Number(parse_number(part.text), part.at) for part in (above, below)), at=token.at)
            self.take()
            return Number(parse_number(token.text.rstrip(".") if token.text.endswith(".") else token.text), token.at)
        if token.kind == "name":
            return self.indexed(self.named())
        if token.text == "√":
            self.take()
            return Call("sqrt", (self.powered(),), at=token.at)
        if token.text == "(":
            opened = self.take()
            inside = self.expression(0)
            self.expect(")", opened)
            return self.indexed(inside)
        if token.text == "[":
            return self.indexed(self.joined())
        if token.text == "*" and self.position and self.tokens[self.position - 1].text == "*":
            raise self.fault("a power is written with ^: x^2, not x**2")
        what = "the formula ends" if token.kind == "end" else f"{token.text!r} stands"
        raise self.fault(f"{what} where a name, a number or a bracket is needed")

    def is_fraction(self) -> bool:
        """Whether here is ½, written together and times what follows: 1/2 sum(w^2) is half the sum, as on paper."""
        _, slash, below, after = (*self.tokens[self.position :], *[self.tokens[-1]] * 3)[:4]
        together = slash.text == "/" and below.kind == "number" and not slash.apart and not below.apart
        divided = self.position > 0 and self.tokens[self.position - 1].text in ("/", "^")
        return together and not divided and below.text.isdigit() and int(below.text) > 0 and self.starts_operand(after)

    def named(self) -> Node:
        token = self.here
        name = SAME_FUNCTION.get(token.text, token.text)
        followed = self.tokens[self.position + 1].text == "("
        if name in self.functions.tables and name not in self.known:
            self.take()
            if not followed:
                raise FormulaError(
                    f"{token.text} is a function and needs brackets: {token.text}(…), at character {token.at + 1}"
                )
            return self.called(token, name)
        if token.text in self.indices:
            self.take()
            return Number(Fraction(self.indices[token.text]), token.at)
        if token.text in self.known or self.is_family(token.text):
            self.take()
            return Name(token.text, token.at)
        if token.text == "log":
            raise FormulaError(
                f"log does not say to which base: write {', '.join(LOGS[:-1])} or {LOGS[-1]}, at character {token.at + 1}"
            )
        if token.text == "T":
            raise FormulaError(f"T alone is no table: a transpose is written A^T, at character {token.at + 1}")
        after = self.tokens[self.position + 1]
        if after.text == "[" and not after.apart and self.indices:
            first = min(self.indices.values()) - 1
            raise FormulaError(
                f"{token.text}[…] at character {token.at + 1} is no given and no step over time; {token.text}[{first}] "
                f"would be the given {token.text}{first}"
            )
        raise FormulaError(unknown(token, followed, self.known, self.functions.tables))

    def is_family(self, name: str) -> bool:
        """Whether a name is that of steps over time, to be followed by [t]."""
        after = self.tokens[self.position + 1]
        return after.text == "[" and not after.apart and any(is_member(known, name) for known in self.known)

    def called(self, token: Token, name: str) -> Node:
        opened = self.take()
        args: list[Node] = []
        while self.here.text != ")":
            args.append(self.expression(0))
            if self.here.text != ",":
                break
            self.take()
        self.expect(")", opened)
        if name == "causal_mask" and len(args) == 1 and constant(args[0]) is not None:
            name = "causal_table"  # the mask itself, 0 and −∞, of so many rows
        if name in ("max", "min") and len(args) == 2:
            return replace(larger_of(*args) if name == "max" else smaller_of(*args), at=token.at)
        least, most = self.functions.tables[name]
        fewest, all_fixed = self.functions.fixed[name]
        if not least + fewest <= len(args) <= most + all_fixed:
            raise FormulaError(
                f"{token.text} takes {counted(least, fewest, most, all_fixed)}, but has {len(args)} (character {token.at + 1})"
            )
        tables = max(min(most, len(args) - fewest), least)
        while tables > least and constant(args[tables - 1]) is not None and all_fixed > len(args) - tables:
            tables -= 1
        fixed = [constant(arg) for arg in args[tables:]]
        if None in fixed:
            place = tables + fixed.index(None) + 1
            raise FormulaError(
                f"{token.text} needs a plain number as number {place} in its brackets, at character {token.at + 1}"
            )
        return Call(name, tuple(args[:tables]), tuple(number for number in fixed if number is not None), token.at)

    def joined(self) -> Node:
        """[A, B] beside, [A; B] below, [A, B; C, D] both."""
        opened = self.take()
        lines: list[list[Node]] = [[]]
        while True:
            lines[-1].append(self.expression(0))
            if self.here.text == ",":
                self.take()
            elif self.here.text == ";":
                self.take()
                lines.append([])
            else:
                break
        self.expect("]", opened)
        rows = [line[0] if len(line) == 1 else Call("beside", tuple(line), at=line[0].at) for line in lines]
        return rows[0] if len(rows) == 1 else Call("below", tuple(rows), at=opened.at)

    def indexed(self, node: Node) -> Node:
        while self.here.text == "[" and not self.here.apart:
            opened = self.take()
            ends = [self.ends()]
            if self.here.text == ",":
                self.take()
                ends.append(self.ends())
            self.expect("]", opened)
            node = self.cut(node, ends, opened)
        return node

    def cut(self, node: Node, ends: "list[tuple[int, int] | None]", opened: Token) -> Node:
        first = ends[0]
        if isinstance(node, Name) and len(ends) == 1 and first is not None and first[0] == first[1]:
            member = f"{node.name}{first[0]}"
            if member in self.known and node.name not in self.known:
                return Name(member, node.at)
        if isinstance(node, Name) and node.name not in self.known:
            where = "nothing" if first is None else f"{node.name}{first[0]}"
            raise FormulaError(f"{where} is not there: no such given or earlier step, at character {node.at + 1}")
        return (
            Slice(node, first, ends[1] if len(ends) == 2 else None, node.at)
            if len(ends) == 2
            else Slice(node, first, None, opened.at)
        )

    def ends(self) -> "tuple[int, int] | None":
        """`:` or `2` or `1..3`; counted from 1, with t, t-1 or t+1 inside a loop."""
        if self.here.text == ":":
            self.take()
            return None
        first = self.whole()
        if self.here.text == ":":
            raise self.fault(f"rows {first} to another are written {first}..{first + 1}, both counted")
        if self.here.text != "..":
            return first, first
        self.take()
        last = self.whole()
        if last < first:
            raise self.fault(f"{first}..{last} goes backwards")
        return first, last

    def whole(self) -> int:
        value = constant(self.expression(0))
        if value is None or value.denominator != 1 or value < 0:
            raise self.fault("a row or column is a whole number counted from 1, such as A[1, :] or A[:, 1..2]")
        return int(value)


def parse(formula: str, known: Collection[str], functions: Functions, indices: Mapping[str, int] | None = None) -> Node:
    """The tree of a formula; `indices` are the letters of a loop with their present numbers."""
    return parsed(formula, tuple(known), functions, tuple((indices or {}).items()))


@lru_cache(maxsize=1_024)  # a class is marked, and thirty variants are made, with the same formulas
def parsed(formula: str, known: tuple[str, ...], functions: Functions, indices: tuple[tuple[str, int], ...]) -> Node:
    return Parser(formula, known, functions, dict(indices)).parse()
