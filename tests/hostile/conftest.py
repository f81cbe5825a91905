"""Keeps pytest out of the submissions: one brings a ``conftest.py`` that ends whoever loads it."""

from pathlib import Path

collect_ignore = [path.name for path in Path(__file__).parent.iterdir() if path.is_dir()]
