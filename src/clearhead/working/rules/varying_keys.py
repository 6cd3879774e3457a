"""Keys whose length varies: scores and shares for each γ, in closed form."""

from clearhead.exact.activations import sigmoid
from clearhead.exact.expressions import finite
from clearhead.exact.matrices import Matrix, matrix, vector
from clearhead.exact.notation import bracketed
from clearhead.working.rules.rule import Reach, Rule, Show


class HeadScores(Rule):
    """One row for each γ: λ(1 + γ) for key a and λ for key b, where the query looks for them; 0 else. From γ and λ."""

    count: int
    a: int | None  # counted from 0; None: this head does not look for key a
    b: int | None

    def __call__(self, *inputs: Matrix) -> Matrix:
        gammas, strength = inputs[0].rows[0], finite(inputs[1].cell)
        return matrix(
            [
                [strength * (1 + finite(gamma)) if i == self.a else strength if i == self.b else 0 for i in range(self.count)]
                for gamma in gammas
            ]
        )

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        strength = bracketed(show(inputs[1].cell))
        if j == self.a:
            return f"{strength}·(1 + {bracketed(show(inputs[0][0, i]))})"
        return strength if j == self.b else "perpendicular: 0"


class SigmoidShare(Rule):
    """1 / (1 + e^(−λγ)) for each γ, from γ and λ."""

    reach = (Reach.CELL,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        strength = finite(inputs[1].cell)
        return vector([sigmoid(finite(gamma) * strength) for gamma in inputs[0].rows[0]])

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"1 / (1 + e^(-{bracketed(show(inputs[1].cell))}·{bracketed(show(inputs[0][0, j]))}))"
