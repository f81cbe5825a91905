"""The report as one self-contained HTML page."""

from grader.report.html.page import render_page

__all__ = ["render_page"]
