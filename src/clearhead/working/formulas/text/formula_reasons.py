"""One sentence for a step whose file gives none: what its outermost operation does, in plain words."""

from clearhead.working.formulas.text.tree import Call, IsNumber, Name, Node, Slice, is_plain_number, text

REASONS = {
    "softmax": "Each row becomes positive shares that add up to 1.",
    "colsoftmax": "Each column becomes positive shares that add up to 1.",
    "hardmax": "The largest of each row takes all; ties share equally.",
    "relu": "What is below 0 becomes 0; the rest stays.",
    "leaky_relu": "What is below 0 shrinks; the rest stays.",
    "tanh": "Each number is squeezed between -1 and 1.",
    "sigmoid": "Each number is squeezed between 0 and 1.",
    "gelu": "Each number is weighed by how likely a normal number is to lie below it.",
    "silu": "Each number is weighed by its own sigmoid.",
    "exp": "The exponential makes every number positive and keeps their order.",
    "layernorm": "Each row is moved to mean 0 and stretched to spread 1.",
    "batchnorm": "Each column, over the whole batch, is moved to mean 0 and stretched to spread 1.",
    "rmsnorm": "Each row is stretched so that its mean square is 1.",
    "cross_entropy": "How surprised one is by what was wanted: minus the logarithm of its share, the mean over the rows.",
    "mse": "The mean of the squared differences.",
    "kl": "How far one distribution is from another, the mean over the rows.",
    "causal_mask": "Nobody may look at later positions: those scores become −∞.",
    "transpose": "Rows become columns.",
    "beside": "Put side by side.",
    "below": "Put one below the other.",
    "conv": "The window slides over the table; at each place the products are added up.",
    "maxpool": "The largest of each window stays.",
    "avgpool": "Each window becomes its mean.",
    "dropout": "Some numbers are left out, and the rest is lifted to make up for it.",
    "argmax": "Where the largest number of each row stands, counted from 1.",
    "topk": "The largest of each row stay; the others become −∞.",
    "onehot": "A row with a single 1 for each number.",
    "rope": "Each pair of columns is turned by an angle that grows with the row.",
    "cosine": "How alike two rows point: 1 the same way, 0 at a right angle.",
    "positions": "Waves of different lengths tell the positions apart.",
    "sum": "All numbers added up.",
    "mean": "All numbers added up, over how many there are.",
    "rowsum": "Each row added up.",
    "colsum": "Each column added up.",
    "rowmean": "The mean of each row.",
    "colmean": "The mean of each column.",
    "max": "The largest of all numbers.",
    "min": "The smallest of all numbers.",
    "rowmax": "The largest of each row.",
    "colmax": "The largest of each column.",
    "rowmin": "The smallest of each row.",
    "colmin": "The smallest of each column.",
    "norm": "The length: the root of the sum of all squares.",
    "rownorm": "The length of each row.",
    "colnorm": "The length of each column.",
    "std": "The spread of all numbers: the root of their variance.",
    "rowstd": "The spread of each row.",
    "colstd": "The spread of each column.",
    "rowvar": "The variance of each row.",
    "colvar": "The variance of each column.",
    "sqrt": "The root of every number.",
    "ln": "The natural logarithm of every number.",
    "abs": "Every number without its sign.",
    "identity": "Ones down the diagonal.",
    "reshape": "The same numbers, in other rows.",
}


def reason_of(tree: Node, is_number: IsNumber = is_plain_number) -> str:
    """What a formula does, in one sentence; `is_number` tells what stands for a single number."""
    if isinstance(tree, Slice):
        return f"A part of {text(tree.of, is_number)}."
    if isinstance(tree, Name):
        return f"The same numbers as {tree.name}."
    if not isinstance(tree, Call):
        return "A number."
    if tree.op in REASONS:
        return REASONS[tree.op]
    args = [text(arg, is_number) for arg in tree.args]
    if tree.op == "product":
        return f"Each row of {args[0]} times each column of {args[1]}."
    if tree.op in ("add", "subtract"):
        inside = tree.args[0]
        if isinstance(inside, Call) and inside.op == "product" and tree.op == "add":
            left, right = (text(arg, is_number) for arg in inside.args)
            return f"Each row of {left} times each column of {right}, and {args[1]} added."
        return f"{args[1]} is {'added to' if tree.op == 'add' else 'taken off'} {args[0]}."
    if tree.op == "times":
        return f"{args[0]} and {args[1]} multiplied, cell by cell."
    if tree.op == "divide":
        return f"{args[0]} divided by {args[1]}."
    return f"{tree.op} of {', '.join(args)}." if args else f"A table made by {tree.op}."
