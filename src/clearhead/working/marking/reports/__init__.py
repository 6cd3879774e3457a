"""Marks as people and graders read them: one form a file, all in one table."""

from clearhead.working.marking.reports.table import REPORTS, report

__all__ = ["REPORTS", "report"]
