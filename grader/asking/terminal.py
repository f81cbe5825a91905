"""Ask with prompt_toolkit: arrow keys, number keys, editing of what is typed.

Each question is a small application of its own that is erased when it is answered; what was
answered is then printed like any other line, so the terminal's scrollback stays readable.
"""

from __future__ import annotations

import abc
import contextlib
import functools
import signal
from collections.abc import Callable, Iterator
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import Output, create_output

from grader.asking.plain import as_text
from grader.asking.reply import COMMANDS, Action, Field, ListField, Reply, TextField, command_in
from grader.asking.selection import Selection
from grader.quiz.formula import Unreadable
from grader.report import Screen
from grader.report.markdown import plain_rows
from grader.text import Text, say
from grader.wrap import wrap

__all__ = ["TerminalAsker"]

Fragments = StyleAndTextTuples
NARROWEST = 10  # columns
ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]


def _wide(character: str) -> str:
    """Return what a Chinese keyboard types for an ASCII character in full width."""
    return chr(ord(character) + 0xFEE0)


class TerminalAsker:
    """Asks in a terminal that moves its cursor.

    Args:
        screen: for language, width and what the terminal can show.
        keys: where keys come from; the terminal if left out.
        output: where to draw; the terminal if left out.
    """

    def __init__(
        self, screen: Screen, keys: Input | None = None, output: Output | None = None
    ) -> None:
        self.screen = screen
        self.keys = keys
        self.output = output or create_output()
        # Asking where the cursor stands would wait two seconds in terminals that do not answer.
        if hasattr(self.output, "enable_cpr"):
            self.output.enable_cpr = False

    def ask(self, field: Field, given: Any) -> Reply:
        """Ask for one thing; ``given`` is the earlier answer or None."""
        question: _Question = (
            _ListQuestion(self, field, given)
            if isinstance(field, ListField)
            else _TextQuestion(self, field, given)
        )
        app: Application[Reply] = Application(
            layout=Layout(question.body(), focused_element=question.focus),
            key_bindings=question.bindings(), input=self.keys, output=self.output,
            erase_when_done=True,
        )  # fmt: skip
        with _ends_with(app, question):
            try:
                return app.run()
            except (EOFError, OSError):  # the terminal was closed
                return Reply("gone", question.draft)

    @property
    def width(self) -> int:
        """Columns; one less than there are, so that no row wraps by itself."""
        return max(NARROWEST, self.output.get_size().columns - 1)

    def pick(self, text: Text) -> str:
        """Return ``text`` in the screen's language."""
        return text.pick(self.screen.language)


@contextlib.contextmanager
def _ends_with(app: Application[Reply], question: _Question) -> Iterator[None]:
    """End the question, and not the program, when the terminal is closed or we are told to go."""

    def end(*_: object) -> None:
        if app.loop is not None and app.is_running:
            app.loop.call_soon_threadsafe(_exit, app, Reply("gone", question.draft))

    before = {number: signal.signal(number, end) for number in ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _exit(app: Application[Reply], reply: Reply) -> None:
    if app.future is not None and not app.future.done():
        app.exit(result=reply)


class _Question(abc.ABC):
    """What lists and text fields have in common: label above, fault and keys below."""

    focus: Any

    def __init__(self, asker: TerminalAsker, field: Field) -> None:
        self.asker = asker
        self.label = field.label
        self.fault: Text | None = None

    @property
    def draft(self) -> str | None:
        """What has been typed so far."""
        return None

    @abc.abstractmethod
    def keys_line(self) -> Text:
        """Return which keys do what."""

    def body(self) -> HSplit:
        """Return what is drawn."""
        return HSplit(
            [
                self._window(self._label_rows, lambda: self.label is not None),
                self.middle(),
                self._window(self._fault_rows, lambda: self.fault is not None),
                self._window(self._keys_rows, lambda: True),
            ]
        )

    @abc.abstractmethod
    def middle(self) -> Window:
        """Return the part that is answered in."""

    def _window(
        self, rows: Callable[[], Fragments], shown: Callable[[], bool]
    ) -> ConditionalContainer:
        window = Window(FormattedTextControl(rows), dont_extend_height=True)
        return ConditionalContainer(window, Condition(shown))

    def _label_rows(self) -> Fragments:
        if self.label is None:
            return []
        rows = plain_rows(self.asker.pick(self.label), self.asker.width, self.asker.screen.shows)
        return [("bold", "\n".join(rows))]

    def _fault_rows(self) -> Fragments:
        if self.fault is None:
            return []
        return [("ansiyellow", "\n".join(wrap(self.asker.pick(self.fault), self.asker.width)))]

    def _keys_rows(self) -> Fragments:
        return [("", "\n".join(wrap(self.asker.pick(self.keys_line()), self.asker.width)))]

    def bindings(self) -> KeyBindings:
        """Return the keys that every question takes."""
        bindings = KeyBindings()

        @bindings.add("c-c")
        @bindings.add("<sigint>")
        def _(event: KeyPressEvent) -> None:
            _exit(event.app, Reply("interrupt", self.draft))

        @bindings.add("c-d")
        def _(event: KeyPressEvent) -> None:
            _exit(event.app, Reply("quit", self.draft))

        @bindings.add("c-z")
        def _(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        return bindings


class _ListQuestion(_Question):
    """Choose one, tick several, or bring into order."""

    def __init__(self, asker: TerminalAsker, field: ListField, given: Any) -> None:
        super().__init__(asker, field)
        self.field = field
        self.selection = Selection(field, given)
        self.control = FormattedTextControl(
            self._rows, focusable=True, show_cursor=False,
            get_cursor_position=lambda: Point(0, self._pointer_row()),
        )  # fmt: skip
        self.focus = self.control

    def middle(self) -> Window:
        return Window(self.control, dont_extend_height=True)

    def keys_line(self) -> Text:
        ways = say("b: back, s: skip, q: save and quit.")
        return {
            "one": say("Arrow keys or a number, then Enter. {ways}", ways=ways),
            "several": say("Space or a number ticks; Enter when done. {ways}", ways=ways),
            "order": say(
                "Type the numbers in their order, or Space on each; Backspace takes one back; "
                "Enter when done. {ways}",
                ways=ways,
            ),
        }[self.field.kind]

    def _option_rows(self, index: int) -> list[str]:
        """Return an option wrapped beside its pointer, number and box."""
        lead = ">" if index == self.selection.pointer else " "
        lead = f"{lead} {index + 1}. {self.selection.mark(index)}"
        text = self.asker.pick(self.field.options[index][1])
        room = max(NARROWEST, self.asker.width - len(lead))
        rows = plain_rows(text, room, self.asker.screen.shows)
        return [(lead if not number else " " * len(lead)) + row for number, row in enumerate(rows)]

    def _rows(self) -> Fragments:
        found: Fragments = []
        for index in range(len(self.field.options)):
            style = "bold" if index == self.selection.pointer else ""
            text = "\n".join(self._option_rows(index))
            found.append((style, text + "\n" * (index + 1 < len(self.field.options))))
        return found

    def _pointer_row(self) -> int:
        return sum(len(self._option_rows(index)) for index in range(self.selection.pointer))

    def bindings(self) -> KeyBindings:
        bindings = super().bindings()
        move = {"up": -1, "down": 1, "k": -1, "j": 1, "c-p": -1, "c-n": 1}
        for key, step in move.items():
            bindings.add(key)(self._changing(functools.partial(self.selection.move, step)))
        for number in range(1, min(9, len(self.field.options)) + 1):
            press = self._changing(functools.partial(self.selection.press, number))
            for key in (str(number), _wide(str(number))):
                bindings.add(key)(press)
        if self.field.kind != "one":
            for key in (" ", "\u3000"):
                bindings.add(key)(self._changing(self.selection.toggle))
            bindings.add("backspace")(self._changing(self.selection.undo))
        for letter, action in COMMANDS.items():
            for key in (letter, letter.upper(), _wide(letter), _wide(letter.upper())):
                bindings.add(key)(functools.partial(self._leave, action))
        bindings.add("enter")(self._enter)
        return bindings

    def _changing(self, change: Callable[[], object]) -> Callable[[KeyPressEvent], None]:
        def handle(_: KeyPressEvent) -> None:
            self.fault = None
            change()

        return handle

    def _leave(self, action: Action, event: KeyPressEvent) -> None:
        _exit(event.app, Reply(action))

    def _enter(self, event: KeyPressEvent) -> None:
        self.fault = self.selection.fault
        if self.fault is None:
            _exit(event.app, Reply("answer", self.selection.value))


class _TextQuestion(_Question):
    """Type a line or several."""

    def __init__(self, asker: TerminalAsker, field: TextField, given: Any) -> None:
        super().__init__(asker, field)
        self.field = field
        text = "" if given is None else str(given)
        self.buffer = Buffer(multiline=field.lines, document=Document(text))
        self.buffer.on_text_changed += self._forget_fault
        self.focus = self.buffer

    @property
    def draft(self) -> str | None:
        return as_text(self.buffer.text).strip("\n") or None

    def middle(self) -> Window:
        control = BufferControl(self.buffer, input_processors=[BeforeInput("> ")])
        return Window(control, wrap_lines=True, dont_extend_height=True)

    def keys_line(self) -> Text:
        ways = say(":b back, :s skip, :q save and quit.")
        if self.field.lines:
            return say(
                "{how} Enter starts a new line, Enter on an empty one is the end. {ways}",
                how=_sentence(self.field.how), ways=ways,
            )  # fmt: skip
        return say("{how} Enter when done. {ways}", how=_sentence(self.field.how), ways=ways)

    def _forget_fault(self, _: Buffer) -> None:
        self.fault = None

    def bindings(self) -> KeyBindings:
        bindings = super().bindings()
        bindings.add("enter")(self._enter)
        bindings.add("escape", "enter")(self._finish)
        return bindings

    def _enter(self, event: KeyPressEvent) -> None:
        document = self.buffer.document
        on_last = document.cursor_position_row == document.line_count - 1
        if self.field.lines and not (on_last and self._may_end(document)):
            self.buffer.insert_text("\n")
        else:
            self._finish(event)

    def _may_end(self, document: Document) -> bool:
        """Whether Enter ends a text of several lines: on an empty line, or behind a command."""
        return not document.current_line.strip() or command_in(document.current_line) is not None

    def _finish(self, event: KeyPressEvent) -> None:
        text = as_text(self.buffer.text)
        *before, last = text.rstrip("\n").split("\n")
        if (action := command_in(last)) is not None:
            _exit(event.app, Reply(action, "\n".join(before).strip("\n") or None))
            return
        text = text.strip("\n") if self.field.lines else text.replace("\n", " ").strip()
        if not text.strip():
            self.fault = say("Nothing typed yet.")
            return
        try:
            self.field.read(text)
        except Unreadable as error:
            self.fault = error.what
            return
        _exit(event.app, Reply("answer", text))


def _sentence(text: Text) -> Text:
    """Return a phrase that ends like a sentence; some end in a colon or nothing."""
    return Text(text.zh.rstrip("：:。") + "。", text.en.rstrip(":.") + ".")
