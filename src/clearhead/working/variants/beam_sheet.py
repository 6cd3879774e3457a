"""Beam search as live cells: which beams stay is chosen in the sheet, by the rank of every score."""

from clearhead.exact.matrices import Matrix, number, vector
from clearhead.working.kinds.beam import BestOf, best_places
from clearhead.working.steps import Step, Working
from clearhead.working.variants.sheet_page import FIRST_COLUMN, SheetPage, stored


def block(row: int, column: int, rows: int, columns: int) -> str:
    """A part of the page as a formula names it; nothing moves when it is copied."""
    from xlsxwriter.utility import xl_range_abs

    return str(xl_range_abs(row, column, row + rows - 1, column + columns - 1))


def cell_at(row: int, column: int) -> str:
    from xlsxwriter.utility import xl_rowcol_to_cell

    return str(xl_rowcol_to_cell(row, column))


def add_beams(sheet: SheetPage, working: Working) -> None:
    """The givens, and for every position the scores, their ranks and the beams that stay."""
    for name, table in working.plan.given.items():
        sheet.title(name)
        sheet.table(name, table, None, working.plan.labels[name], "given")
    for step in working.plan.steps:
        if isinstance(step.rule, BestOf):
            add_best(sheet, working, step, step.rule.width)
        else:
            add_scores(sheet, working, step)


def add_scores(sheet: SheetPage, working: Working, step: Step) -> None:
    """Every beam times the row of P of its last token, which stands below the beams."""
    beams = step.needs[0]
    shape = working.values["P"].shape
    top, left = sheet.places["P"]
    p = block(top, left, *shape)
    (row, column), (last, _) = sheet.places[beams], sheet.places[f"{beams} last"]
    rows, columns = working.values[step.name].shape
    formulas = [
        [sheet.rounded(f"{cell_at(row, column + i)}*INDEX({p},{cell_at(last, column + i)},{j + 1})") for j in range(columns)]
        for i in range(rows)
    ]
    sheet.title(f"{step.name} = {step.formula}")
    name_row = sheet.places[f"{beams} names"][0]
    start = sheet.next_row + 1
    sheet.table(step.name, working.values[step.name], formulas, ((), step.columns))
    for i, label in enumerate(step.rows):
        sheet.formula(start + i, 0, cell_at(name_row, column + i), label, "row")


def add_best(sheet: SheetPage, working: Working, step: Step, width: int) -> None:
    """Ranks of all scores, then those of rank 1, 2 and so on: their numbers, their last token, their words."""
    [source] = step.needs
    table = working.values[source]
    rows, columns = table.shape
    ranks = add_ranks(sheet, source, table)
    top, left = sheet.places[source]
    scores = block(top, left, rows, columns)
    places = best_places(table, width)
    answer = step.name in working.plan.answer
    sheet.title(f"{step.name} = {step.formula}")
    names_row = sheet.next_row
    formulas, last = [], []
    for k in range(len(places)):
        kept = f"({ranks}={k + 1})"
        formulas.append(sheet.rounded(f"SUMPRODUCT({kept}*{scores})"))
        last.append(f"SUMPRODUCT({kept}*(COLUMN({scores})-{left}))")
        token = f"INDEX({block(top - 1, left, 1, columns)},{last[-1]})"
        before = "" if source == "start" else f'INDEX({block(top, 0, rows, 1)},SUMPRODUCT({kept}*(ROW({scores})-{top})))&" "&'
        sheet.formula(names_row, FIRST_COLUMN + k, f"{before}{token}", step.columns[k], "column")
    sheet.next_row += 1
    sheet.places[f"{step.name} names"] = (names_row, FIRST_COLUMN)
    sheet.table(step.name, working.values[step.name], [formulas], ((), ()), "answer" if answer else "cell")
    if not answer:
        sheet.next_row -= 1
        sheet.title("inside: the last token of each, counted from 1", "inside")
        found = vector([number(place[1] + 1).cell for place in places])
        sheet.table(f"{step.name} last", found, [last])


def add_ranks(sheet: SheetPage, source: str, table: Matrix) -> str:
    """Which place each score has, the largest first, the earlier first among equals; as a range."""
    rows, columns = table.shape
    top, left = sheet.places[source]
    scores = block(top, left, rows, columns)
    order = {place: n for n, place in enumerate(best_places(table, rows * columns), start=1)}
    sheet.title(f"inside: the rank of each of {source}, the earlier first among equals", "inside")
    first = sheet.next_row
    for i in range(rows):
        for j in range(columns):
            own = cell_at(top + i, left + j)
            above = f"+SUMPRODUCT(({block(top, left, i, columns)}={own})*1)" if i else ""
            beside = f"+SUMPRODUCT(({block(top + i, left, 1, j)}={own})*1)" if j else ""
            formula = f"SUMPRODUCT(({scores}>{own})*1){above}{beside}+1"
            sheet.formula(first + i, left + j, formula, stored(number(order[i, j]).cell), "helper")
    sheet.next_row += rows + 1
    return block(first, left, rows, columns)
