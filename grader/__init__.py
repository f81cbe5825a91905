"""A course kit that grades itself: see ``grader/DESIGN.md`` for how the parts fit."""

__version__ = "0.1.0"
