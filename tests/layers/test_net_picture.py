"""The picture of a net: rows that fit a page, and skip connections."""

from clearhead.layers import read_input
from clearhead.layers.repairs.repair import read
from clearhead.layers.report.net_picture import picture

SKIP = """from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 4, 3, padding=1), nn.Conv2d(4, 8, 3, padding=1)
    def forward(self, x):
        first = self.a(x)
        return self.c(self.b(first)) + first
"""


def test_a_skip_connection_is_an_arc() -> None:
    drawn = picture(read(SKIP, read_input("3x8x8")))
    assert drawn.count("stroke-dasharray") == 1
    without = picture(read(SKIP.replace(" + first", ""), read_input("3x8x8")))
    assert "stroke-dasharray" not in without


def test_sixty_layers_stand_in_rows_of_one_page() -> None:
    layers = ", ".join(f"nn.Linear({n}, {n + 1})" for n in range(4, 64))
    drawn = picture(read(f"from torch import nn\nnet = nn.Sequential({layers})", read_input("4")))
    width = float(drawn.partition('width="')[2].partition('"')[0])
    assert width < 1700
    assert drawn.count("<g>") + drawn.count("<g ") == 61


def test_repeated_blocks_are_drawn_once_with_their_number() -> None:
    block = "nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 8))"
    source = f"from torch import nn\nnet = nn.Sequential(nn.Linear(3, 8), *[{block} for _ in range(20)], nn.Linear(8, 2))\n"
    drawn = picture(read(source, read_input("3")))
    assert drawn.count("<g") == 5  # the input, the first layer, two of the block, the last
    assert "20 × [ 288 weights" in drawn
    assert "264 weights ]" in drawn
    assert "left out" not in drawn
