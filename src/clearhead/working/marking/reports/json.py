"""Marks as the contract's JSON: one tree, or a list of them."""

import json
from collections.abc import Sequence

from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import Mark, as_json


def write(marker: Marker, marks: Sequence[Mark], several: bool) -> str:
    trees = [as_json(mark) for mark in marks]
    return json.dumps(trees if several else trees[0], ensure_ascii=False, indent=2) + "\n"
