"""What a person wrote against the steps' own graph: verdicts, the first error and its slip, credit, reports."""

from clearhead.working.marking.class_folder import mark_files, workings_in
from clearhead.working.marking.credit import Pricing
from clearhead.working.marking.marker import Marker
from clearhead.working.marking.marks import Mark, as_json
from clearhead.working.marking.one_working import mark
from clearhead.working.marking.reports import REPORTS, report

__all__ = ["REPORTS", "Mark", "Marker", "Pricing", "as_json", "mark", "mark_files", "report", "workings_in"]
