"""A look as pictures to print: every head small, or one head large."""

from clearhead.errors import InputError
from clearhead.lens.looks import LayerLook, Seen
from clearhead.lens.measures.head_labels import labels_of
from clearhead.lens.show.head_problem import source_name
from clearhead.pictures import HeadTile, Panel, heads_grid, heatmap

MOST_LARGE = 64  # tokens of a head that is drawn large


def look_picture(look: Seen, head: str = "") -> str:
    """An SVG of one head, or of all of them side by side."""
    if head:
        layer, number = look.head(head)
        if max(len(layer.rows), len(layer.columns)) > MOST_LARGE:
            raise InputError(f"a head is drawn large on up to {MOST_LARGE} tokens; take a shorter text, or a page (.html).")
        names = [[token.strip() or "␣" for token in side] for side in (layer.rows, layer.columns)]
        weights = [[round(min(max(float(w), 0), 1), 2) for w in row] for row in layer.weights[number]]
        return heatmap([Panel(weights, names[0], names[1], f"{source_name(look)}, head {head}")])
    shown = [layer for layer in look.layers if layer.rows]
    tiles = [[tile_of(look, layer, number) for number in range(layer.heads)] for layer in shown]
    return heads_grid(tiles, [f"layer {layer.name}" for layer in shown], source_name(look), look.text)


def tile_of(look: Seen, layer: LayerLook, number: int) -> HeadTile:
    """One head with the label that holds, if one does."""
    name = layer.head_name(number)
    word = next((label.name for label in labels_of(look)[name] if label.holds), "")
    return HeadTile(name, layer.weights[number].tolist(), word)
