"""A look as text and as JSON."""

import json
from typing import Any

from clearhead.lens.looks import Seen
from clearhead.lens.measures.head_labels import labels_of
from clearhead.lens.measures.head_measures import MEASURES, measured_heads

SHOWN = ("entropy", "distance", "itself", "first", "previous", "names")
MOST_TOKENS = 60


def look_text(look: Seen) -> str:
    """For people: the text as it was read, the guesses on the way, the answer, and a line for every head."""
    tokens = look.layers[-1].rows
    said = " ".join(shown(token) for token in tokens[:MOST_TOKENS]) + (" …" if len(tokens) > MOST_TOKENS else "")
    lines = [f"{look.source} read {len(tokens)} tokens: {said}", *(f"note: {note}" for note in look.notes)]
    lines += [*answer_lines(look), *guess_lines(look), "", *head_lines(look)]
    return "\n".join(lines)


def shown(token: str) -> str:
    """A token as one word.

    >>> shown(" Ada"), shown(" "), shown("\\n")
    ('Ada', '␣', '⏎')
    """
    return token.replace("\n", "⏎").strip(" ") or "␣"


def answer_lines(look: Seen) -> list[str]:
    """The answer that is watched, and what became of it."""
    if not look.answer:
        return []
    lines = ["", f"it says: {look.answer['answer'] or '(nothing)'}, with probability {look.answer['probability']:.3g}"]
    if "change" in look.answer:
        then = look.answer["changed_answer"]
        says = "and it still says so" if then == look.answer["answer"] else f"and it says {then or '(nothing)'} instead"
        lines.append(f"{look.answer['change']}: {look.answer['changed_probability']:.3g}, {says}")
    return lines


def guess_lines(look: Seen) -> list[str]:
    """The logit lens at the last place."""
    if not look.guesses:
        return []
    lines = ["", "what it would say next if it stopped there (the last place):"]
    for each in look.guesses:
        best = ", ".join(f"{shown(token)} {share:.0%}" for token, share in each["best"][-1])
        at = "" if each["places"][-1] == look.guesses[-1]["places"][-1] else f", at token {each['places'][-1] + 1}"
        lines.append(f"  {each['where'] + at:<34} {best}")
    return lines


def head_lines(look: Seen) -> list[str]:
    """A line for each head: its measures, and what it looks like."""
    width = max(len(name) for name in measured_heads(look)) + 2
    lines = [
        "each head: entropy in bits, tokens looked back, shares on itself, first and previous token; of the last one, on names",
        f"{'head':<{width}}" + "".join(f"{name:>9}" for name in SHOWN) + "  looks like",
    ]
    for layer, head in look.heads():
        name = layer.head_name(head)
        measures = measured_heads(look)[name].tree()
        cells = "".join(f"{'–' if measures[each] is None else written(each, measures[each] or 0):>9}" for each in SHOWN)
        tried = labels_of(look)[name]
        held = [label for label in tried if label.holds] or tried[:1]
        group = f"; shares keys {layer.groups[head]}" if layer.groups else ""
        lines.append(f"{name:<{width}}{cells}  {'; '.join(str(label) for label in held) or 'nothing in particular'}{group}")
    if not look.controls:
        lines.append("labels without controls: how a blank model does is not known here")
    return lines


def written(measure: str, value: float) -> str:
    return f"{value:.2f}" if measure in ("entropy", "distance") else f"{value:.0%}"


def look_json(look: Seen, weights: bool = True) -> str:
    """For programs: everything, the weights to four decimals."""
    layers = [
        {
            "name": layer.name,
            "rows": list(layer.rows),
            "columns": list(layer.columns),
            "heads": [
                {
                    "name": layer.head_name(head),
                    **({"group": layer.groups[head]} if layer.groups else {}),
                    "measures": measured_heads(look)[layer.head_name(head)].tree(),
                    "labels": [label.tree() for label in labels_of(look)[layer.head_name(head)]],
                    **({"weights": layer.weights[head].round(4).tolist()} if weights else {}),
                }
                for head in range(layer.heads)
            ],
        }
        for layer in look.layers
    ]
    tree: dict[str, Any] = {
        "source": look.source,
        "text": look.text,
        "notes": list(look.notes),
        "answer": dict(look.answer) or None,
        "guesses": [dict(each) for each in look.guesses],
        "measures": MEASURES,
        "layers": layers,
    }
    return json.dumps(tree, ensure_ascii=False)
