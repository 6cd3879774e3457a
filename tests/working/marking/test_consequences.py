"""A number that no label places is found by what was made from it; one that is right elsewhere is not called wrong here."""

from clearhead import mark
from clearhead.working import load_problem
from clearhead.working.marking.marks import Mark

NET = load_problem(
    {
        "kind": "convolution",
        "given": {"input": [3, 40, 40]},
        "options": {
            "layers": [{"op": "convolution", "filters": 8, "kernel": 3}, {"op": "convolution", "filters": 10, "kernel": 5}]
        },
    }
)  # weights 3·3·3·8 + 8 = 224 and 5·5·8·10 + 10 = 2010
SOFTMAX = load_problem(
    {
        "kind": "gradient",
        "given": {"theta": [1.0, 0.2, -0.6], "y": [0, 1, 0]},
        "options": {"of": "softmax", "rate": 0.5},
    }
)  # e^1, e^0.2, e^-0.6: 2.718 + 1.221 + 0.549 = 4.488; shares 0.606, 0.272, 0.122


def verdicts(marked: Mark) -> dict[str, str]:
    return {step.name: step.verdict for step in marked.steps}


def net(second: int, total: int) -> str:
    return f"""First layer: the output is 38x38x8, it has 3*3*3*8 + 8 = 224 parameters.
For the second one I get 5*5*8*10 = {second}.

Total number of parameters: 224 + {second} = {total}
"""


def test_the_error_is_where_the_number_was_made_and_not_where_it_is_added() -> None:
    marked = mark(NET, net(2000, 2224))
    assert marked.first_error is not None
    assert (marked.first_error.step, marked.first_error.got) == ("weights2", "2000")
    assert verdicts(marked)["weights"] == "follows"


def test_a_sum_that_no_number_of_the_page_explains_is_wrong_itself() -> None:
    marked = mark(NET, net(2010, 2432))
    assert marked.first_error is not None
    assert marked.first_error.step == "weights"


def page(second: str, new: str) -> str:
    """As chats leave it behind when it is pasted: the backslashes before brackets and blanks are gone."""
    return f"""The shares are
[
p=[0.606,;0.272,;0.122]
]

and the slopes

[
\\frac{{\\partial L}}{{\\partial z_1}}=0.606-0=0.606
]
[
\\frac{{\\partial L}}{{\\partial z_2}}=0.272-1={second}
]
[
\\frac{{\\partial L}}{{\\partial z_3}}=0.122-0=0.122
]

One step:
[
z^{{new}}=z-\\eta\\nabla L=[0.697,;{new},;-0.661]
]
"""


def test_a_lost_sign_is_found_by_the_step_that_went_on_with_it() -> None:
    marked = mark(SOFTMAX, page("0.728", "-0.164"))  # 0.2 − 0.5·0.728
    assert marked.first_error is not None
    assert (marked.first_error.step, marked.first_error.cell, marked.first_error.slip) == ("d_theta", (0, 1), "sign")
    assert verdicts(marked)["new_theta"] == "follows"


def test_the_right_page_has_no_error() -> None:
    marked = mark(SOFTMAX, page("-0.728", "0.564"))
    assert marked.first_error is None
    assert verdicts(marked)["new_theta"] in ("right", "follows")


TABLES = """
|      | sun  | rain |   | sun  | rain |
|------|------|------|---|------|------|
| sun  | 2    | 5    |   | 3    | 1    |
| rain | 7    | 4    |   | 6    | 8    |
"""


def test_two_tables_that_share_their_names_are_two() -> None:
    heads = [
        {"W_Q": [[1, 0], [0, 1]], "W_K": [[2, 7], [5, 4]], "W_V": [[1, 0], [0, 1]]},
        {"W_Q": [[1, 0], [0, 1]], "W_K": [[3, 6], [1, 8]], "W_V": [[1, 0], [0, 1]]},
    ]  # X = I, so that scores = W_Kᵀ
    given = {"tokens": ["sun", "rain"], "X": [[1, 0], [0, 1]], "heads": heads}
    marked = mark(load_problem({"kind": "attention", "given": given}), f"# Scores\nLeft head 1, right head 2.\n{TABLES}")
    assert {verdicts(marked)[name] for name in ("scores1", "scores2")} == {"right"}
    assert all(len(step.cells) == 4 for step in marked.steps if step.name in ("scores1", "scores2"))


CHAIN = load_problem(
    {
        "kind": "formula",
        "given": {"x": [[0.4, 1.5]], "w": [[2, -1]]},
        "steps": {"a": "x .* w", "b": "tanh(a)", "c": "b * 3"},
        "answer": ["c"],
    }
)  # a = (0.8, -1.5), b = (0.6640, -0.9051), c = (1.9921, -2.7154)


def test_a_whole_line_without_a_name_is_found_by_the_line_made_from_it() -> None:
    marked = mark(CHAIN, "a = (0.8, -1.5)\n\nso (0.7311, -0.8176)\n\nc = (2.1933, -2.4528)\n")  # 3·0.7311, 3·(-0.8176)
    assert marked.first_error is not None
    assert marked.first_error.step == "b"
    assert verdicts(marked)["c"] == "follows"


def test_a_line_that_nothing_was_made_from_explains_nothing() -> None:
    marked = mark(CHAIN, "a = (0.8, -1.5)\n\nso (0.7311, -0.8176)\n\nc = (1.9921, -2.4528)\n")
    assert verdicts(marked)["b"] == "missing"


def test_sizes_as_torch_prints_them_have_a_batch_in_front() -> None:
    sizes = ("1, 8, 38, 38", "1, 10, 34, 34")
    page = "\n".join(f"out = layer{n}(out)\nprint(out.shape)  # torch.Size([{size}])" for n, size in enumerate(sizes))
    assert [verdicts(mark(NET, page))[name] for name in ("size1", "size2")] == ["right", "right"]
    wrong = mark(NET, page.replace("34, 34", "36, 36"))
    said = [cell.verdict for step in wrong.steps if step.name == "size2" for cell in step.cells]
    assert said == ["right", "unsure", "unsure"]  # a number may be something else: somebody has to look


def test_boxes_side_by_side_are_a_vector() -> None:
    boxes = r"$$ p = \boxed{0.606}\boxed{0.272}\boxed{0.122} $$ and $$ \nabla_z L = \boxed{0.606}\boxed{-0.728}\boxed{0.122} $$"
    assert [verdicts(mark(SOFTMAX, boxes))[name] for name in ("y_hat", "d_theta")] == ["right", "right"]


def test_a_page_with_only_the_last_of_many_steps_is_marked() -> None:
    """Each step needs the two before it: whoever worked each of them out again for every way there would never end."""
    steps = {"a1": "x .* x", "a2": "a1 + x", **{f"a{n}": f"tanh(a{n - 1} + a{n - 2})" for n in range(3, 16)}}
    chain = load_problem({"kind": "formula", "given": {"x": [[0.4, 0.3]]}, "steps": steps})
    assert verdicts(mark(chain, "a15 = (0.123, 0.456)\n"))["a15"] in ("wrong", "unsure")


def test_an_index_behind_a_name_is_no_value() -> None:
    given = {"Q": [[1, 3]], "K": [[2, 2], [4, 1]], "V": [[1, 0], [0, 1]]}
    problem = load_problem({"kind": "attention", "given": given})
    page = "scores[1,1] = 8\nscores[1,2] = 7\n\nweights[1,1] = 0.67\nweights[1,2] = 0.33\n"
    assert mark(problem, page).first_error is None
