"""Show results: in a terminal and as JSON (``results.Report.to_json``)."""

from grader.report.dashboard import show_dashboard
from grader.report.screen import Screen, print_json
from grader.report.terminal import show_report

__all__ = ["Screen", "print_json", "show_dashboard", "show_report"]
