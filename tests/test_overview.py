"""The class on one page."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from pathlib import Path

import pytest

from grader.classroom.overview import render_overview
from grader.text import Language
from tests.browser import Browser, opened
from tests.smallclass import Place, marks_of, open_class


def page(place: Place, language: Language = "en") -> str:
    """Return the page of the small class."""
    return render_overview(marks_of(place), open_class(place).course, language)


def test_the_page_is_whole_and_obeys_nobody(place: Place) -> None:
    """No script, nothing from elsewhere, names as text, and a policy that allows its style only."""
    found = page(place)

    assert "<script" not in found
    assert "<b>Eve" not in found
    assert "&lt;b&gt;Eve&lt;/b&gt;" in found
    assert not re.search(r"(?:src|href)=", found)
    css = re.findall(r"<style>(.*?)</style>", found, re.DOTALL)[0]
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in found


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_browser_shows_shares_and_mistakes(
    place: Place, browser: Browser, tmp_path: Path, language: Language
) -> None:
    """Rows of students with their shares, the commonest mistake, and how items measure."""
    path = tmp_path / "report.html"
    path.write_text(page(place, language), encoding="utf-8")

    with opened(browser, path) as shown:
        rows = shown.evaluate(
            "[...document.querySelectorAll('.map tbody tr')]"
            ".map(r => [...r.cells].map(c => c.innerText.trim()))"
        )
        told = shown.evaluate("document.body.innerText")
        coloured = shown.evaluate(
            "getComputedStyle(document.querySelector('.map td.l5')).backgroundColor"
        )
        if folder := os.environ.get("GRADE_PICTURES"):
            Path(folder, f"overview-{language}.png").write_bytes(shown.screenshot())

    assert rows[0] == ["Lovelace, Ada ann", "100", "33", "", "9/11"]
    assert rows[3] == ["zoe", "", "", "", "0/14"]
    assert coloured == "rgb(10, 74, 143)"  # the policy lets the style work
    assert ("You count from one." if language == "en" else "从 1 开始数。") in told
    assert ("Tells apart" if language == "en" else "区分度") in told
