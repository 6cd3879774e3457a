"""One problem made into many, equally hard: new givens, blank worksheets, keys and live spreadsheets."""
