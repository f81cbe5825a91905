"""The notebook of an exercise in JupyterLab itself: opened in a browser, run from its menu."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import Browser, Page, find_axe, opened
from tests.commandline import run_grade, write
from tests.conftest import not_covered
from tests.jupyter import TOKEN, Server, go, keep_picture, wait

ROOT = Path(__file__).parents[1]
EXERCISE = "03_implement_forward"
SETTINGS = "config/lab/user-settings/@jupyterlab/apputils-extension"
QUIET = {"fetchNews": "false", "checkForUpdates": False}
SHOWN = "[...document.querySelectorAll('.jp-OutputArea-output')]"
GRADED = "[...document.querySelectorAll('.jp-OutputArea .jp-RenderedHTMLCommon > div[lang]')]"


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    """The notebook that ``grade notebook 03`` makes, with a right and a wrong answer added."""
    course = tmp_path / "课 程"
    shutil.copytree(ROOT / "exercises", course / "exercises")
    shutil.copytree(ROOT / "solutions" / EXERCISE, course / "solutions" / EXERCISE)
    done = run_grade(course, "notebook", "03", "--lang", "zh")
    assert done.code == 0, done.err
    path = course / f"notebooks/{EXERCISE}.ipynb"
    made = json.loads(path.read_text(encoding="utf-8"))
    place = next(n for n, cell in enumerate(made["cells"]) if cell["id"] == "answer") + 1
    for id_, file in (("wrong", "mistakes/no-slice.py"), ("right", "implement_forward.py")):
        text = (ROOT / "solutions" / EXERCISE / file).read_text(encoding="utf-8")
        cell = {**made["cells"][place - 1], "id": id_, "source": f"%%grade 03\n{text}"}
        made["cells"].insert(place, cell)
    write(path, json.dumps(made))
    return path


@pytest.fixture
def lab(notebook: Path, tmp_path: Path) -> Iterator[Server]:
    """JupyterLab in the course's folder, without questions of its own."""
    pytest.importorskip("jupyterlab", reason="not covered: no JupyterLab here")
    home = tmp_path / "home"
    write(home / SETTINGS / "notification.jupyterlab-settings", json.dumps(QUIET))
    found = Server(notebook.parent.parent, home, "lab")
    yield found
    found.close()


def click(page: Page, element: str) -> None:
    """Press the mouse in the middle of what a JavaScript expression finds."""
    wait(page, element)
    x, y = page.evaluate(
        f"(r => [r.x + r.width / 2, r.y + r.height / 2])({element}.getBoundingClientRect())"
    )
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def choose(page: Page, *labels: str) -> None:
    """Choose an entry of the main menu: the labels of the menu, of menus below it, of the entry."""
    for label in labels:
        found = "[...document.querySelectorAll('.lm-MenuBar-itemLabel, .lm-Menu-itemLabel')]"
        click(page, f"{found}.findLast(e => e.textContent == {json.dumps(label)})")


def told(page: Page) -> list[str]:
    """Return what the graded cells show, as a reader sees it."""
    found: list[str] = page.evaluate(f"{GRADED}.map(e => e.innerText)")
    return found


def objections(page: Page, axe: str) -> list[str]:
    """Return what axe-core holds against our part of the page: contrast, names, order."""
    page.evaluate(axe + ";0")
    found = page.evaluate(f"axe.run({GRADED})")
    assert "color-contrast" in {one["id"] for one in found["passes"]}  # it could tell
    return [f"{one['id']}: {node['html']}" for one in found["violations"] for node in one["nodes"]]


@pytest.fixture
def page(lab: Server, notebook: Path, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The notebook, open in JupyterLab, with its kernel ready."""
    blank = write(tmp_path / "blank.html", "<!doctype html><title>blank</title>")
    with opened(browser, blank) as found:
        found.call(  # so high that the whole notebook is drawn
            "Emulation.setDeviceMetricsOverride",
            width=1100, height=6000, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        go(found, f"{lab.address}lab/tree/notebooks/{notebook.name}?token={TOKEN}",
           "document.querySelector('.jp-Notebook .jp-CodeCell')")  # fmt: skip
        wait(found, "document.querySelector('#jp-main-statusbar')?.innerText.includes('| Idle')")
        yield found


def test_right_and_wrong_answers_show_their_verdicts(page: Page) -> None:
    """Run All Cells: each graded cell shows its result as HTML that can be read, light and dark."""
    axe = find_axe()
    if axe is None:
        not_covered("axe-core is not installed")

    choose(page, "Run", "Run All Cells")
    wait(page, f"{GRADED}.length == 3 && {SHOWN}.some(e => e.innerText.includes('提示 1'))")
    untouched, right, wrong = told(page)
    keep_picture(page, "jupyterlab-light")
    light = objections(page, axe)
    choose(page, "Settings", "Theme", "JupyterLab Dark")
    wait(page, "document.body.dataset.jpThemeName == 'JupyterLab Dark'")
    wait(page, "!document.querySelector('#jupyterlab-splash')")  # fades away over the page
    keep_picture(page, "jupyterlab-dark")

    assert "0 / 24 分" in untouched
    assert "[未开始]" in untouched
    assert "24 / 24 分" in right
    assert set(re.findall(r"\[(.*?)\] ", right)) == {"通过"}
    assert "[未通过]" in wrong
    assert "没有按输入长度切片" in wrong
    assert page.evaluate("document.querySelectorAll('.jp-OutputArea script').length") == 0
    assert light == []
    assert objections(page, axe) == []
