"""Markdown with formulas between dollar signs, read alike by the report and every export."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

__all__ = ["Math", "reader"]

Math = Callable[[str, bool], str]  # LaTeX and whether it stands between double dollars -> HTML
# Letters and digits may touch a formula, as in 第$i$行; what a space divides are prices.
FORMULA = re.compile(r"\$\$(?P<double>.+?)\$\$|\$(?=\S)(?P<single>[^$\n]*?)(?<=\S)\$", re.DOTALL)


def reader(math: Math) -> MarkdownIt:
    """Return a reader of Markdown without raw HTML.

    Args:
        math: writes a formula.
    """

    def show(
        renderer: RendererHTML,
        tokens: Sequence[Token],
        index: int,
        options: OptionsDict,
        env: EnvType,
    ) -> str:
        del renderer, options, env
        return math(tokens[index].content, tokens[index].markup == "$$")

    made = MarkdownIt("commonmark", {"html": False})
    made.inline.ruler.before("escape", "formula", _read_formula)
    made.add_render_rule("formula", show)
    return made


def _read_formula(state: StateInline, silent: bool) -> bool:
    found = FORMULA.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        token = state.push("formula", "math", 0)
        token.content = (found["double"] or found["single"]).strip()
        token.markup = "$$" if found["double"] else "$"
    state.pos = found.end()
    return True
