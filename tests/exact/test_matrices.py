"""Tables of exact cells: products agree with three plain loops, whatever mixture of numbers stands in them."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.exact.enclosures import compare
from clearhead.exact.expressions import Exact, inverse, total_of
from clearhead.exact.matrices import Matrix, matrix, number, product, sum_of, transposed, vector
from clearhead.exact.powers import exp, sqrt

fractions = st.builds(Fraction, st.integers(-4, 4), st.integers(1, 3))
powers = [exp(Fraction(k)) for k in range(-2, 3)]
shares = [power * inverse(total_of(powers)) for power in powers]
cells: st.SearchStrategy[Exact] = st.one_of(fractions, st.sampled_from([*shares, sqrt(Fraction(2)), exp(Fraction(1))]))


def tables(rows: int, columns: int, inside: st.SearchStrategy[Exact]) -> st.SearchStrategy[Matrix]:
    row = st.lists(inside, min_size=columns, max_size=columns)
    return st.lists(row, min_size=rows, max_size=rows).map(matrix)


def by_loops(a: Matrix, b: Matrix) -> list[list[Exact]]:
    out: list[list[Exact]] = []
    for i in range(a.shape[0]):
        out.append([])
        for j in range(b.shape[1]):
            total: Exact = Fraction(0)
            for k in range(a.shape[1]):
                x, y = a[i, k], b[k, j]
                assert not isinstance(x, float)
                assert not isinstance(y, float)
                total = total + x * y
            out[-1].append(total)
    return out


@given(a=tables(2, 3, cells), b=st.one_of(tables(3, 5, fractions), tables(3, 5, cells)))
@settings(deadline=None, max_examples=80)
def test_products_agree_with_three_plain_loops(a: Matrix, b: Matrix) -> None:
    got, expected = product(a, b), by_loops(a, b)
    assert got.shape == (2, 5)
    for i, j in got.places():
        cell = got[i, j]
        assert not isinstance(cell, float)
        assert compare(cell - expected[i][j], Fraction(0)) == 0


def test_the_comparison_rejects_a_transposed_factor() -> None:
    a, b = matrix([[1, 2], [3, 4]]), matrix([[0, 1], [5, 2]])
    assert product(a, b).rows != product(a, transposed(b)).rows


@given(a=tables(2, 3, fractions), b=tables(3, 2, fractions), c=tables(2, 4, fractions))
@settings(deadline=None, max_examples=40)
def test_products_are_associative_and_turn_over(a: Matrix, b: Matrix, c: Matrix) -> None:
    assert product(product(a, b), c) == product(a, product(b, c))
    assert transposed(product(a, b)) == product(transposed(b), transposed(a))


def test_shares_of_a_constant_column_give_the_constant() -> None:
    assert product(matrix([shares]), matrix([[7]] * 5)).cell == 7
    assert product(matrix([shares]), matrix([[7]] * 4 + [[8]])).cell != 7


def test_a_row_times_a_table_stays_a_row() -> None:
    assert product(vector([1, 2]), matrix([[3], [4]])).rank == 1
    assert product(number(2), matrix([[3]])).rank == 0


def test_infinity_is_refused_in_products_and_kept_in_sums() -> None:
    with pytest.raises(ArithmeticError):
        product(matrix([[float("-inf"), Fraction(1)]]), matrix([[1], [2]]))
    assert sum_of([Fraction(1), float("inf")]) == float("inf")
    assert sum_of([Fraction(1), Fraction(2)]) == 3
