"""The kinds of layers that are known, one file a family, and how each treats whole numbers and the order of axes."""

from clearhead.layers.laws import activation, attention, convolution, dense, norm, pooling, recurrent, reshaping
from clearhead.layers.laws.law import Arguments, Law, Outcome, Weights

__all__ = ["ALIKE", "LAWS", "MAKES_DECIMALS", "TAKES_WHOLE", "Arguments", "Law", "Outcome", "Weights"]

LAWS: dict[str, Law] = (
    convolution.LAWS
    | pooling.LAWS
    | dense.LAWS
    | reshaping.LAWS
    | norm.LAWS
    | activation.LAWS
    | recurrent.LAWS
    | attention.LAWS
)

# Layers that take whole numbers (token ids) and give whole numbers back.
TAKES_WHOLE = {"Identity", "ReLU", "ReLU6", "Hardtanh", "Threshold", "Flatten", "Unflatten"} | {
    "MaxPool2d", "MaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d",
}  # fmt: skip
# Layers that take whole numbers and give decimals.
MAKES_DECIMALS = {"Embedding", "Sigmoid", "Tanh", "Tanhshrink", "Softsign"}
# Layers that treat all axes but the last alike, so that it is still open where the batch axis stands.
ALIKE = set(activation.LAWS) - {"Softmax2d", "PReLU"} | {"Linear", "Embedding", "LayerNorm"}
