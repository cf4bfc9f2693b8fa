"""Keyboard input: lines with history and completion at a terminal.

Pipes and files are read unchanged. The history is kept in memory only.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

import attrs

from workbench.presentation.console.streams import console_of, has_colours
from workbench.presentation.narration.selection import normalize

if TYPE_CHECKING:  # imported only at a terminal
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

MENU_ROWS = 5
"""Number of rows below the input line for completions."""
HIGH_SCREEN = 40
"""Number of rows of a screen that always has room for completions."""


def rows_above_input(height: int) -> int:
    """Return the number of rows of a screen above the input line.

    Completions are shown while typing on a high screen, and after Tab on others.
    """
    return height - 1 - (MENU_ROWS if height >= HIGH_SCREEN else 0)


@attrs.frozen
class Completions:
    """Possible completions at the start of a line, and after a first word."""

    words: Sequence[str] = ()
    after_word: Mapping[str, Sequence[str]] = attrs.Factory(dict)


@attrs.define
class Keyboard:
    """Source of input lines, with the output stream for prompts."""

    source: TextIO
    out: TextIO
    _session: PromptSession[str] | None = None

    @property
    def is_interactive(self) -> bool:
        """True if the input is a terminal, where lines can be edited."""
        own = self.source is sys.stdin and self.out is sys.stdout
        return own and self.source.isatty() and self.out.isatty()

    def read_line(self, prompt: str, completions: Completions | None = None) -> str:
        """Return the next line with its line end, or "" at the end of the input.

        At a terminal, the given completions are offered.
        """
        if self.is_interactive:
            try:
                return self._prompt(prompt, completions or Completions()) + "\n"
            except EOFError:
                return ""
        self.out.write(prompt)
        self.out.flush()
        return self.source.readline()

    def clear_history(self) -> None:
        """Discard the history before the next person types."""
        self._session = None

    def _prompt(self, prompt: str, completions: Completions) -> str:
        if self._session is None:
            self._session = _session(colours=has_colours(console_of(self.out)))
        self.out.flush()
        return self._session.prompt(prompt, completer=_completer(completions))


def _session(*, colours: bool) -> PromptSession[str]:
    """Return a prompt session with a separate history.

    It does not ask the terminal for its cursor position: some terminals never reply.
    """
    from prompt_toolkit import PromptSession
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.output.vt100 import Vt100_Output

    output = Vt100_Output.from_pty(sys.stdout, term=os.environ.get("TERM"))
    output.enable_cpr = False
    return PromptSession(
        output=output,
        color_depth=None if colours else ColorDepth.DEPTH_1_BIT,
        complete_while_typing=shutil.get_terminal_size().lines >= HIGH_SCREEN,
        enable_suspend=True,
        reserve_space_for_menu=MENU_ROWS,
    )


def _completer(completions: Completions) -> Completer:
    from prompt_toolkit import completion

    class Typed(completion.Completer):
        """Completer for the known completions."""

        def get_completions(
            self, document: Document, _event: CompleteEvent
        ) -> Iterator[Completion]:
            """Yield the completions of the text before the cursor."""
            for start, words in complete(document.text_before_cursor, completions):
                yield completion.Completion(words, start_position=start)

    return Typed()


def complete(line: str, completions: Completions) -> list[tuple[int, str]]:
    """Return (start, text) of each completion; start is relative to the cursor."""
    word, blank, rest = line.partition(" ")
    by_word = {normalize(word): texts for word, texts in completions.after_word.items()}
    if blank and normalize(word) in by_word:
        return _matching_texts(rest, by_word[normalize(word)])
    return _matching_texts(line, completions.words)


def _matching_texts(prefix: str, candidates: Sequence[str]) -> list[tuple[int, str]]:
    """Return (start, text) for each candidate that starts with the prefix.

    The start is relative to the cursor. Case and accents are ignored.
    """
    if not prefix.strip():
        return []
    start = normalize(prefix)
    return [
        (-len(prefix), word)
        for word in candidates
        if normalize(word).startswith(start) and word != prefix
    ]
