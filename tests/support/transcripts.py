"""How-to pages as transcripts: their files are written, their commands run.

The words after the language of a code block say what the block is:

    ```rules reeds.rules     a file of this name, written to the folder
    ```python bot.py         a file that is also run as a program
    ```python                a program; all programs of a page share their names
    ```sh                    commands, one per line, that must succeed
    ```sh wrong              commands that must exit with 1
    ```sh served             a server, stopped with Ctrl-C; it uses a free port
    ```text                  the output of the block before; a line `…` is a wildcard

Blocks of other languages (`json`, `jsonc`) are not run.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import attrs

from tests.support.processes import run_process
from workbench.cli import main
from workbench.cli.frame.exit_codes import INTERRUPTED

BLOCK = re.compile(r"^```(\w+)(?: ([^\n]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANY = "…"
ROOT = Path(__file__).parents[2]


@attrs.frozen
class Block:
    """Block of a page: its language, the words after it, and its text."""

    language: str
    words: str
    text: str


def blocks(page: str) -> Iterator[Block]:
    """Yield the blocks of a page in order."""
    for match in BLOCK.finditer(page):
        yield Block(match[1], match[2] or "", match[3])


@attrs.define
class Transcript:
    """Run of a page in a folder: the latest output, and the Python names."""

    folder: Path
    printed: str = ""
    names: dict[str, Any] = attrs.Factory(dict)

    def follow(self, block: Block) -> None:
        """Carry out a block; the folder is the working directory."""
        if block.language == "text":
            assert agrees(self.printed, block.text), self.printed
        elif block.language == "sh":
            status = 1 if block.words == "wrong" else 0
            does = self.serves if block.words == "served" else self.command
            for line in block.text.splitlines():
                does(shlex.split(line), status)
        elif block.words:
            (self.folder / block.words).write_text(block.text, encoding="utf-8")
        if block.language == "python" and "pytest" not in block.text:
            with redirect_stdout(io.StringIO()) as out:
                exec(block.text, self.names)  # noqa: S102
            self.printed = out.getvalue()

    def command(self, words: list[str], status: int) -> None:
        """Run a command of this project in this process, pytest in another one."""
        if words[:1] == ["pytest"]:
            done = run_process([sys.executable, "-m", *words, "-p", "no:cacheprovider"])
            assert done.returncode == status, done.stdout
            self.printed = done.stdout
            return
        assert words[0] == "rulebook", words
        with redirect_stdout(io.StringIO()) as out, patch("sys.stdin", io.StringIO()):
            assert main(words[1:]) == status, words
        self.printed = out.getvalue()

    def serves(self, words: list[str], _: int) -> None:
        """Run a server in another process, and stop it with Ctrl-C."""
        assert words[:2] == ["rulebook", "serve"], words
        with subprocess.Popen(
            [sys.executable, "-m", "workbench", *words[1:], "--port", "0"],
            env={**os.environ, "XDG_STATE_HOME": str(self.folder)},
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            first = process.stdout.readline()
            process.send_signal(signal.SIGINT)
            self.printed = first + process.stdout.read()
        assert process.returncode == INTERRUPTED, words


def agrees(printed: str, shown: str) -> bool:
    """Return whether a page shows what was printed.

    A line `…` matches any lines; within a line, `…` matches any characters.
    """
    form = "".join(map(_form, shown.strip("\n").split("\n")))
    return re.fullmatch(form, printed.strip("\n") + "\n") is not None


def _form(line: str) -> str:
    """Return the regular expression for a line of a page."""
    if line == ANY:
        return r"(?:.*\n)*?"
    return ".*".join(map(re.escape, line.split(ANY))) + r"\n"
