"""Markdown and LaTeX as rows of plain text, for terminals and for comments in files."""

from grader.plaintext.formulas import one_line_formula
from grader.plaintext.markdown import Row, Span, plain_rows, rows

__all__ = ["Row", "Span", "one_line_formula", "plain_rows", "rows"]
