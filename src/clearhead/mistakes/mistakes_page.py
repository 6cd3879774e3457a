"""A classifier's mistakes as one page: words coloured by what they pushed, nothing is loaded."""

import html
from collections.abc import Sequence
from pathlib import Path

from clearhead.corpora.sources.digits import drawn
from clearhead.mistakes.digit_errors import DigitErrors, Misread
from clearhead.mistakes.mistakes_text import counted, headline
from clearhead.mistakes.review_errors import Mistake, ReviewErrors
from clearhead.mistakes.word_pushes import Judged

LIKED, DISLIKED = "31,95,174", "200,92,20"  # blue and orange: told apart by everybody
STYLE = """body{font:16px/1.6 'DejaVu Sans',Arial,sans-serif;max-width:56em;margin:2em auto;padding:0 1em;color:#1c2430}
h1{font-size:1.4em}h2{font-size:1.05em;margin:1.4em 0 .4em}section h2{margin-top:0}
section{border:1px solid #d5dae2;border-radius:8px;padding:1em 1.2em;margin:1.2em 0}
.text{white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.9}.text span,.key span{border-radius:3px;padding:1px 2px}
table{border-collapse:collapse}td,th{padding:.15em 1.2em .15em 0;text-align:right}td:first-child,th:first-child{text-align:left}
.note{color:#596372;font-size:.9em}ul{margin:.3em 0 .8em;padding-left:1.2em}pre{font:12px/1 'DejaVu Sans Mono',monospace}
.digits{display:flex;margin-top:1.4em;flex-wrap:wrap;gap:1em}.digits section{margin:0}"""


def page(title: str, body: list[str]) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
        f"<h1>{html.escape(title)}</h1>{''.join(body)}</body></html>\n"
    )


def review_page(errors: ReviewErrors) -> str:
    """Figures, how often each reason holds, and each mistake with its words coloured."""
    sides = ("towards liked", "towards disliked") if errors.liking else ("towards what the net says", "away from it")
    key = (
        f'<p class="key"><span style="{shade(1, 1)}">pushed {sides[0]}</span> '
        f'<span style="{shade(-1, 1)}">pushed {sides[1]}</span> '
        '<span class="note">A word’s push is the net’s log-odds with it less those without it, worked out anew; '
        "point at a word for its number.</span></p>"
    )
    table = [] if errors.liking else [confusion_table("Class", errors.confusion, errors.names)]
    body = [figures(errors), *table, shares(errors), key]
    body += [section(number, mistake, errors.names) for number, mistake in enumerate(errors.sample, 1)]
    return page(f"What {Path(errors.run).name} got wrong", body)


def figures(errors: ReviewErrors | DigitErrors) -> str:
    rows = {"this run": errors.accuracy, **errors.baselines}
    cells = "".join(f"<tr><td>{html.escape(name)}</td><td>{share:.1%} right</td></tr>" for name, share in rows.items())
    return f"<p>{html.escape(counted(errors))}.</p><table>{cells}</table>"


def shares(errors: ReviewErrors) -> str:
    if not errors.wrong:
        return ""
    rows = "".join(
        f"<tr><td>{share.name}</td><td>{share.mistakes:.0%}</td><td>{share.right:.0%}</td></tr>" for share in errors.shares
    )
    mistakes, right = errors.compared
    return (
        f"<h2>How often a reason holds</h2><table><tr><th></th><th>{mistakes} mistakes</th><th>{right} right ones</th></tr>"
        f'{rows}</table><p class="note">A reason that holds as often for right ones explains little. Sarcasm cannot be '
        "detected and is not claimed.</p>"
    )


def section(number: int, mistake: Mistake, names: Sequence[str]) -> str:
    judged = mistake.judged
    reasons = "".join(f"<li><b>{reason.name}</b>: {html.escape(reason.told)}</li>" for reason in mistake.reasons)
    return (
        f"<section><h2>{number}. {html.escape(headline(judged, names))}</h2>"
        f"<ul>{reasons or '<li>no computed reason holds</li>'}</ul>"
        f'<div class="text">{coloured(judged)}</div></section>'
    )


def coloured(judged: Judged) -> str:
    """The text as it was written, each word with a colour and its number."""
    text, most, done, parts = judged.review.text, max(map(abs, judged.pushes), default=0.0), 0, []
    for place, push in zip(judged.places, judged.pushes, strict=True):
        parts.append(between(text[done : place.start]))
        shown = f"{push:+.3f}".replace("-", "−")
        parts.append(f'<span style="{shade(push, most)}" title="{shown}">{html.escape(text[place.start : place.end])}</span>')
        done = place.end
    return "".join(parts) + between(text[done:])


def between(text: str) -> str:
    return html.escape(text.replace("<br />", "\n").replace("<br>", "\n").replace("\n\n\n", "\n\n"))


def shade(push: float, most: float) -> str:
    """
    >>> shade(-2.0, 2.0), shade(0.0, 2.0)
    ('background:rgba(200,92,20,0.70)', 'background:rgba(31,95,174,0.00)')
    """
    return f"background:rgba({LIKED if push >= 0 else DISLIKED},{0.7 * abs(push) / most if most else 0:.2f})"


def digit_page(errors: DigitErrors) -> str:
    """Figures, the table of which class was read as which, and some that were misread."""
    table = confusion_table("Picture", errors.confusion.tolist(), errors.names)
    sample = "".join(misread(each, errors.names) for each in errors.sample)
    return page(f"What {Path(errors.run).name} got wrong", [figures(errors), table, f'<div class="digits">{sample}</div>'])


def confusion_table(what: str, confusion: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    """Row the class, column the verdict."""
    told = [html.escape(name) for name in names]
    head = "".join(f"<th>{name}</th>" for name in told)
    rows = "".join(
        f"<tr><th>{name}</th>{''.join(f'<td>{count or str()}</td>' for count in counts)}</tr>"
        for name, counts in zip(told, confusion, strict=True)
    )
    return f"<h2>{what} (row) read as (column)</h2><table><tr><th></th>{head}</tr>{rows}</table>"


def misread(each: Misread, names: Sequence[str]) -> str:
    shown = "\n".join(drawn(each.picture))
    label, verdict = html.escape(names[each.label]), html.escape(names[each.verdict])
    return f"<section><h2>{label}, read as {verdict} ({each.sure:.2f})</h2><pre>{shown}</pre></section>"
