"""Multiply-adds of one example, worked by hand: products with weights and in attention, no biases."""

import pytest

from clearhead.layers import analyse, read_input
from clearhead.layers.report.layer_lines import per_example


@pytest.mark.parametrize(
    ("source", "wanted", "cost"),
    [
        ("nn.Linear(144, 10)", "144", 1440),
        ("nn.Linear(8, 10)", "7x8", 7 * 80),
        ("nn.Conv2d(1, 8, 5)", "1x32x32", 28 * 28 * 8 * 25),
        ("nn.Conv2d(8, 16, 3, groups=4)", "8x5x5", 3 * 3 * 16 * 9 * 2),
        ("nn.ConvTranspose1d(2, 3, 4, stride=2)", "2x5", 5 * 2 * 3 * 4),  # each input number meets the whole kernel
        ("nn.MaxPool2d(2)", "1x8x8", 0),
        ("nn.Embedding(100, 8)", "7", 0),
        ("nn.RNN(3, 5)", "7x3", 7 * 5 * (3 + 5)),
        ("nn.LSTM(3, 5, num_layers=2, bidirectional=True)", "7x3", 7 * 2 * 4 * 5 * ((3 + 5) + (10 + 5))),
        ("nn.TransformerEncoderLayer(8, 2, 16)", "7x8", 7 * (4 * 64 + 2 * 8 * 16) + 2 * 7 * 7 * 8),
    ],
)
def test_multiply_adds(source: str, wanted: str, cost: int) -> None:
    got = analyse(source, read_input(wanted))
    assert [per_example(row.multiply_adds or 0) for row in got.rows] == [cost]


def test_attention_with_its_own_keys() -> None:
    source = (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.a = nn.MultiheadAttention(8, 2, batch_first=True)\n"
        "    def forward(self, x):\n        return self.a(x, x[:, :3], x[:, :3])[0]\n"
    )
    got = analyse(source, read_input("7x8"))
    row = next(row for row in got.rows if row.kind == "MultiheadAttention")
    projections, products = (7 + 3 + 3 + 7) * 64, 2 * 7 * 3 * 8
    assert per_example(row.multiply_adds or 0) == projections + products
