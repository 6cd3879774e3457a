"""A new kind of layer is one file and one line: then it is tabled, and a break at it is mended."""

from extensions.conftest import Copy

LAW = '''
"""A layer that doubles every feature: c features become 2·c, each with a weight of its own."""

from clearhead.layers.laws.law import Arguments, Law, Outcome, Weights, set_to, whole
from clearhead.layers.values.refusals import Refusal
from clearhead.layers.values.tensors import Tensor, made


def run(a: Arguments, x: Tensor) -> Outcome:
    features = whole(a, "features", 1)
    if x.shape[-1] != features:
        why = f"features={features}, but {x.shape[-1]} numbers come in"
        raise Refusal(why, set_to("features", x.shape[-1]))
    return Outcome(made((*x.shape[:-1], 2 * features), x, x.field), f"2·{features} = {2 * features}")


def weigh(a: Arguments) -> Weights:
    return Weights(2 * whole(a, "features"), f"2 × {a['features']}")


LAWS = {"Doubled": Law("features", run, weigh)}
'''.lstrip()
NET = """
from torch import nn

net = nn.Sequential(nn.Linear(3, 5), nn.Doubled({features}), nn.Linear(10, 2))
"""


def test_a_law_is_one_file_and_one_line(package: Copy) -> None:
    package.add("layers/laws/doubled.py", LAW)
    package.extend("layers/laws/__init__.py", "FAMILIES = (", '    "doubled",')
    net = package.folder / "net.py"
    net.write_text(NET.format(features=5), encoding="utf-8")
    table = package.told("layers", net, "--input", "3", "--json")
    doubled = next(layer for layer in table["layers"] if "Doubled" in layer["name"])
    assert (doubled["output"], doubled["weights"]) == ([10], 10)

    net.write_text(NET.format(features=4), encoding="utf-8")
    assert "features=4, but 5 numbers come in" in package.clearhead("layers", net, "--input", "3")
    assert "nn.Doubled(5)" in package.clearhead("layers", net, "--input", "3", "--repair")
