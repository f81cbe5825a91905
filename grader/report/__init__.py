"""Show results: in a terminal and as JSON (``results.Report.to_json``)."""

from grader.report.screen import Screen
from grader.report.terminal import show_report

__all__ = ["Screen", "show_report"]
