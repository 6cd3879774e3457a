"""RNN, LSTM and GRU: `output, state`, as torch gives them. Every gate of every step costs (in + hidden) · hidden."""

from functools import partial

from clearhead.layers.laws.law import Arguments, Law, Outcome, Weights, require_axes, set_to, show, whole
from clearhead.layers.values.axis_sizes import BATCH, product, show_size
from clearhead.layers.values.receptive_field import OPEN
from clearhead.layers.values.refusals import Refusal, WrongInput
from clearhead.layers.values.tensors import Tensor, row_major

GATES = {"RNN": 1, "LSTM": 4, "GRU": 3}


def check(kind: str, a: Arguments) -> None:
    for name in ("input_size", "hidden_size", "num_layers"):
        if whole(a, name) < 1:
            raise Refusal(f"{name} must be at least 1, and is {a[name]}")
    if isinstance(a["dropout"], (int, float)) and not 0 <= a["dropout"] <= 1:
        raise Refusal(f"dropout must be between 0 and 1, and is {a['dropout']}")
    projected = whole(a, "proj_size")
    if projected < 0 or projected >= whole(a, "hidden_size"):
        raise Refusal(f"proj_size={projected} must be smaller than hidden_size={a['hidden_size']} (0: none)")
    if projected and kind != "LSTM":
        raise Refusal(f"proj_size is for LSTM only; this is {kind}")
    if kind == "RNN" and a["nonlinearity"] not in ("tanh", "relu"):
        raise Refusal(f"nonlinearity must be 'tanh' or 'relu', and is {show(a['nonlinearity'])}")


def run(kind: str, a: Arguments, x: Tensor, hx: object = None) -> Outcome:
    """The last axis changes from input_size to hidden_size (or proj_size), twice that if bidirectional."""
    require_axes(x, kind, 2, 3)
    batched, first = len(x.shape) == 3, bool(a["batch_first"])
    if batched and not first and x.fresh and x.shape[0] == BATCH:
        raise WrongInput(place=1)
    wanted, last = whole(a, "input_size"), x.shape[-1]
    if last != wanted:
        why = f"input_size={wanted}, but {show_size(last)} numbers come in at each step (the last axis of {x})"
        raise Refusal(why, set_to("input_size", last))
    if x.shape[1 if batched and first else 0] == 0:
        raise Refusal(f"there must be at least one step: {x}")
    ways = 2 if a["bidirectional"] else 1
    hidden, layers = whole(a, "hidden_size"), whole(a, "num_layers")
    wide = a.get("proj_size", 0) or hidden
    shape = (*x.shape[:-1], ways * wide)
    strides = row_major(shape)
    if batched and first:  # torch turns the axes round at the end, and leaves them so in memory
        strides = (shape[2], shape[0] * shape[2], 1)
    output = Tensor(shape, strides=strides, field=OPEN)
    batch = () if not batched else (x.shape[0 if first else 1],)
    states = [Tensor(s, strides=row_major(s), field=OPEN) for s in (((ways * layers, *batch, n)) for n in (wide, hidden))]
    if hx is not None:
        require_state(kind, hx, states)
    steps = product(x.shape[:-1])
    cost = sum(products(kind, ways, wide, hidden, layer, wanted) for layer in range(layers))
    last_state = tuple(states) if kind == "LSTM" else states[0]
    sentence = f"the last axis: {wanted} → {f'2·{wide}' if ways == 2 else wide}"
    return Outcome((output, last_state), sentence, steps * cost)


def require_state(kind: str, state: object, wanted: list[Tensor]) -> None:
    """Refuse a first state whose shape does not fit; what is not known of it is passed over."""
    given = state if isinstance(state, (tuple, list)) else (state,)
    if kind == "LSTM" and isinstance(state, Tensor):
        raise Refusal("the first state of an LSTM is two tensors, (h, c), and one came")
    for each, fits, word in zip(given, wanted, ("h", "c"), strict=False):
        if isinstance(each, Tensor) and each.shape != fits.shape:
            raise Refusal(f"the first state {word} must be {fits} (layers and ways, batch, width), and is {each}")


def products(kind: str, ways: int, wide: int, hidden: int, layer: int, wanted: int) -> int:
    """The weights without biases of one layer, both ways: each is used once a step."""
    inputs = wanted if layer == 0 else ways * wide
    projection = wide * hidden if wide != hidden else 0
    return ways * (GATES[kind] * hidden * (inputs + wide) + projection)


def weigh(kind: str, a: Arguments) -> Weights:
    """Each gate has weights from the input, weights from the state, and two biases."""
    ways, hidden, wanted = 2 if a["bidirectional"] else 1, whole(a, "hidden_size"), whole(a, "input_size")
    wide = a.get("proj_size", 0) or hidden
    gates, lines, count = GATES[kind], [], 0
    for layer in range(whole(a, "num_layers")):
        inputs = wanted if layer == 0 else ways * wide
        count += products(kind, ways, wide, hidden, layer, wanted) + (ways * gates * hidden * 2 if a["bias"] else 0)
        bias = " + 2" if a["bias"] else ""
        projection = f" + {wide}·{hidden}" if wide != hidden else ""
        one = f"{gates}·{hidden}·({inputs} + {wide}{bias}){projection}"
        lines.append(f"2·({one})" if ways == 2 else one)
    shown = lines if len(lines) < 3 else [lines[0], f"{len(lines) - 1}·({lines[1]})"]
    return Weights(count, f"{' + '.join(shown)} = {count}")


def shapes(kind: str, a: Arguments) -> dict[str, tuple[int, ...] | None]:
    """Weights from the input and from the state, and their biases, for each layer and each way."""
    ways, hidden, wanted = 2 if a["bidirectional"] else 1, whole(a, "hidden_size"), whole(a, "input_size")
    wide = a.get("proj_size", 0) or hidden
    rows, found = GATES[kind] * hidden, dict[str, tuple[int, ...] | None]()
    for layer in range(whole(a, "num_layers")):
        for end in ("", "_reverse")[:ways]:
            inputs = wanted if layer == 0 else ways * wide
            found[f"weight_ih_l{layer}{end}"], found[f"weight_hh_l{layer}{end}"] = (rows, inputs), (rows, wide)
            if a["bias"]:
                found[f"bias_ih_l{layer}{end}"] = found[f"bias_hh_l{layer}{end}"] = (rows,)
            if wide != hidden:
                found[f"weight_hr_l{layer}{end}"] = (wide, hidden)
    return found


def run_cell(kind: str, a: Arguments, x: Tensor, hx: object = None) -> Outcome:
    """One step: the new state, and for an LSTM the new memory beside it."""
    require_axes(x, kind, 1, 2)
    wanted, hidden, last = whole(a, "input_size"), whole(a, "hidden_size"), x.shape[-1]
    if last != wanted:
        raise Refusal(
            f"input_size={wanted}, but {show_size(last)} numbers come in (the last axis of {x})", set_to("input_size", last)
        )
    shape = (*x.shape[:-1], hidden)
    state = Tensor(shape, strides=row_major(shape), field=OPEN)
    for each in hx if isinstance(hx, (tuple, list)) else (hx,):
        if isinstance(each, Tensor) and each.shape != shape:
            raise Refusal(f"the state must be {state}, and is {each}")
    cost = product(x.shape[:-1]) * GATES[kind.removesuffix("Cell")] * hidden * (wanted + hidden)
    sentence = f"the last axis: {wanted} → {hidden}"
    return Outcome((state, state) if kind == "LSTMCell" else state, sentence, cost)


def weigh_cell(kind: str, a: Arguments) -> Weights:
    gates, hidden, wanted = GATES[kind.removesuffix("Cell")], whole(a, "hidden_size"), whole(a, "input_size")
    count = gates * hidden * (wanted + hidden + (2 if a["bias"] else 0))
    return Weights(count, f"{gates}·{hidden}·({wanted} + {hidden}{' + 2' if a['bias'] else ''}) = {count}")


def cell_shapes(kind: str, a: Arguments) -> dict[str, tuple[int, ...] | None]:
    rows = GATES[kind.removesuffix("Cell")] * whole(a, "hidden_size")
    bias = (rows,) if a["bias"] else None
    weights = {"weight_ih": (rows, whole(a, "input_size")), "weight_hh": (rows, whole(a, "hidden_size"))}
    return {**weights, "bias_ih": bias, "bias_hh": bias}


COMMON = "bias=True, batch_first=False, dropout=0.0, bidirectional=False, "
SIGNATURES = {
    "RNN": f"input_size, hidden_size, num_layers=1, nonlinearity='tanh', {COMMON}proj_size=0, device=None, dtype=None",
    "LSTM": f"input_size, hidden_size, num_layers=1, {COMMON}proj_size=0, device=None, dtype=None",
    "GRU": f"input_size, hidden_size, num_layers=1, {COMMON}proj_size=0, device=None, dtype=None",
}
CELL = "input_size, hidden_size, bias=True, {}device=None, dtype=None"
CELLS = {"RNNCell": CELL.format("nonlinearity='tanh', "), "LSTMCell": CELL.format(""), "GRUCell": CELL.format("")}
LAWS = {
    kind: Law(
        signature,
        partial(run, kind),
        partial(weigh, kind),
        partial(check, kind),
        inputs=("input", "hx"),
        shapes=partial(shapes, kind),
    )
    for kind, signature in SIGNATURES.items()
} | {
    kind: Law(
        signature, partial(run_cell, kind), partial(weigh_cell, kind), inputs=("input", "hx"), shapes=partial(cell_shapes, kind)
    )
    for kind, signature in CELLS.items()
}
