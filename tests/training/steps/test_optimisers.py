"""Who moves which weights, how far, and on what schedule."""

import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from clearhead.corpora import Example
from clearhead.errors import ConfigError
from clearhead.models import GPT, GPTConfig
from clearhead.training import TrainConfig
from clearhead.training.machines.learner import Learner
from clearhead.training.steps.batches import padded
from clearhead.training.steps.checkpoints import flattened
from clearhead.training.steps.loop import freeze, one_step
from clearhead.training.steps.optimisers import Muon, build_optimisers, clip, orthogonal, scale_rates
from clearhead.training.steps.row_sizes import RowSizes
from clearhead.training.steps.schedule import factor

SHAPES = [(6, 6), (6, 6), (12, 6), (6, 12)]


def weights_with_gradients(seed: int = 0) -> list[nn.Parameter]:
    chance = torch.Generator().manual_seed(seed)
    weights = [nn.Parameter(torch.randn(shape, generator=chance)) for shape in SHAPES]
    for weight in weights:
        weight.grad = torch.randn(weight.shape, generator=chance)
    return weights


def test_muon_is_torchs_up_to_bfloat16() -> None:
    ours, theirs = weights_with_gradients(), weights_with_gradients()
    mine = Muon(ours, lr=0.02, weight_decay=0.1)
    other = torch.optim.Muon(theirs, lr=0.02, weight_decay=0.1)
    for _ in range(3):
        mine.step()
        other.step()
    for one, two in zip(ours, theirs, strict=True):
        assert_close(one, two, atol=2e-3, rtol=0)  # theirs orthogonalises with 8 bits of precision
    plain = weights_with_gradients()
    torch.optim.SGD(plain, lr=0.02).step()
    assert not torch.allclose(plain[0], ours[0], atol=2e-3)


def test_orthogonalised_matrices_have_singular_values_near_one() -> None:
    x = torch.randn(3, 5, 9, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    group = {"ns_coefficients": (3.4445, -4.775, 2.0315), "ns_steps": 5, "eps": 1e-7}
    values = torch.linalg.svdvals(orthogonal(x, group))
    assert values.min() > 0.4
    assert values.max() < 1.3
    u, _, v = torch.linalg.svd(x, full_matrices=False)
    assert ((orthogonal(x, group) * (u @ v)).sum((1, 2)) > 0).all()  # and they point the same way


def small_model(**changes: int) -> GPT:
    torch.manual_seed(0)
    return GPT(GPTConfig(**{"vocab": 9, "context": 8, "layers": 1, "heads": 2, "width": 8, "style": "modern", **changes}))


@pytest.mark.parametrize("matrix_rate", [0.0, 0.01])
@pytest.mark.parametrize("memory", [0, 5])
def test_each_weight_has_exactly_one_optimiser(matrix_rate: float, memory: int) -> None:
    model = small_model(memory=memory)
    optimisers = build_optimisers(model, TrainConfig(tokens=1, matrix_rate=matrix_rate))
    moved = [id(weight) for optimiser in optimisers for group in optimiser.param_groups for weight in group["params"]]
    assert sorted(moved) == sorted(id(weight) for weight in model.parameters())
    assert len(optimisers) == 1 + (matrix_rate > 0) + (memory > 0)


def test_rates_follow_the_factor() -> None:
    optimisers = build_optimisers(small_model(memory=5), TrainConfig(tokens=1, rate=0.1, matrix_rate=0.2, table_rate=0.4))
    scale_rates(optimisers, 0.5)
    scale_rates(optimisers, 0.5)  # of the full rate, not of the last one
    assert sorted({group["lr"] for optimiser in optimisers for group in optimiser.param_groups}) == [0.05, 0.1, 0.2]


def test_clipping_leaves_the_norm_at_most_as_asked() -> None:
    model = small_model(style="course")
    model.loss(torch.tensor([[2, 3]]), torch.tensor([[3, 4]])).backward()
    before = clip(model, 0.01)
    assert before > 0.01
    after = torch.stack([weight.grad.norm() for weight in model.parameters() if weight.grad is not None]).norm()
    assert after.item() == pytest.approx(0.01, rel=1e-3)


def test_a_frozen_part_is_read_but_not_changed() -> None:
    model = small_model(memory=5, style="course")
    config = TrainConfig(tokens=1, matrix_rate=0.01)
    optimisers = build_optimisers(model, config)
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    example = [Example([2, 3, 4], [3, 4, 1])]
    one_step(Learner(model, config), optimisers, padded(example, frozen=("memory",)), config)
    changed = {name for name, weight in model.named_parameters() if not torch.equal(weight, before[name])}
    assert changed
    assert not any(name.startswith("memory") for name in changed)
    one_step(Learner(model, config), optimisers, padded(example), config)
    assert not torch.equal(model.memory.tables[0], before["memory.tables.0"])
    freeze(model, ())
    assert all(weight.requires_grad for weight in model.parameters())


def test_the_course_schedule_stops_at_its_floor() -> None:
    config = TrainConfig(tokens=1000, warmup=0.0, decay="cosine", decay_start=0.0, decay_end=0.4, floor=0.1)
    assert factor(config, 0) == 1.0
    assert factor(config, 200) == pytest.approx(0.5)
    assert factor(config, 399) == 0.1
    assert factor(config, 999) == 0.1


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"tokens": 0}, "tokens"),
        ({"decay": "sudden"}, "decays"),
        ({"rate": -1.0}, "rates"),
        ({"clip": 0.0}, "clip"),
        ({"tables": "none"}, "ways: adam, rows"),
        ({"precision": "int8"}, "precisions: float32"),
        ({"accumulate": 0}, "accumulate"),
        ({"validate_every": -1}, "validate_every"),
        ({"seconds": -1.0}, "seconds"),
        ({"decay_start": 1.0, "decay_end": 0.5}, "decay_start"),
    ],
)
def test_a_config_that_cannot_be_is_refused(changes: dict, word: str) -> None:
    with pytest.raises(ConfigError, match=word):
        TrainConfig(**{"tokens": 10, **changes})


def test_a_gradient_that_is_no_number_changes_nothing() -> None:
    model = small_model(style="course")
    config = TrainConfig(tokens=1)
    optimisers = build_optimisers(model, config)
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    model.head.weight.register_hook(lambda gradient: gradient * float("inf"))
    assert math.isnan(one_step(Learner(model, config), optimisers, padded([Example([2, 3], [3, 4])]), config))
    assert all(torch.equal(weight, before[name]) for name, weight in model.named_parameters())


def test_rows_move_by_their_gradient_over_their_running_size() -> None:
    """Worked on paper: row 0 sees (3, 4) and then (0, 5), row 1 only (1, 1); row 2 is never touched."""
    table = torch.nn.Parameter(torch.zeros(3, 2, dtype=torch.float64))
    optimiser = RowSizes([table], 0.1, beta=0.9, eps=0.0)
    for rows, values in (([0, 1], [[3.0, 4.0], [1.0, 1.0]]), ([0], [[0.0, 5.0]])):
        table.grad = torch.sparse_coo_tensor([rows], torch.tensor(values, dtype=torch.float64), (3, 2), check_invariants=True)
        optimiser.step()
    first, second = math.sqrt(12.5), math.sqrt(0.9 * 12.5 + 0.1 * 12.5)
    wanted = [[-0.3 / first, -0.4 / first - 0.5 / second], [-0.1, -0.1], [0.0, 0.0]]
    torch.testing.assert_close(table.detach(), torch.tensor(wanted, dtype=torch.float64))
    assert {name: tuple(value.shape) for name, value in optimiser.state[table].items()} == {"size": (3,)}


def test_a_row_named_twice_is_moved_once_by_the_sum() -> None:
    tables = [torch.nn.Parameter(torch.zeros(2, 3)) for _ in range(2)]
    for table, (rows, values) in zip(tables, (([0, 0], [[1.0, 2.0, 3.0]] * 2), ([0], [[2.0, 4.0, 6.0]])), strict=True):
        table.grad = torch.sparse_coo_tensor([rows], torch.tensor(values), (2, 3), check_invariants=True)
        RowSizes([table], 0.1).step()
    torch.testing.assert_close(tables[0], tables[1])


def test_what_rows_keep_is_a_hundredth_of_what_sparse_adam_keeps() -> None:
    sizes = {}
    for way in ("adam", "rows"):
        model = small_model(memory=50)
        config = TrainConfig(tokens=1, tables=way)
        optimisers = build_optimisers(model, config)
        one_step(Learner(model, config), optimisers, padded([Example([2, 3, 4], [3, 4, 5])]), config)
        tensors, _ = flattened(optimisers[-1:])
        sizes[way] = sum(tensor.numel() for tensor in tensors.values())
    assert sizes["rows"] * 2 * model.config.width == sizes["adam"]
