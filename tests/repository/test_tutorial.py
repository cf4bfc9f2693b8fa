"""The tutorial: its files are written, its commands run, its outputs are compared.

`python tests/repository/test_tutorial.py` writes today's outputs into the page; read
the changes before you commit them.
"""

import io
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from pathlib import Path

import pytest

from workbench.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
BLOCK = re.compile(
    r"^```(?P<info>[^\n]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


def answers(page: str) -> Iterator[tuple[str, str]]:
    """Execute the page here; yield each output that it shows, and the actual one."""
    printed = ""
    for block in BLOCK.finditer(page):
        sort, *words = block["info"].split()
        if sort == "rules":
            Path(words[0]).write_text(block["text"], encoding="utf-8")
        elif sort == "sh":
            printed = "".join(
                run(line, 1 if "fails" in words else 0)
                for line in block["text"].splitlines()
            )
        else:
            yield block["text"], printed


def run(line: str, status: int) -> str:
    """Return the output of a command."""
    command, *arguments = shlex.split(line)
    assert command == "rulebook"
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(arguments) == status, line
    return out.getvalue()


def rewritten(page: str) -> str:
    """Return the page with regenerated outputs."""
    true = iter([answer for _, answer in answers(page)])

    def block(match: re.Match[str]) -> str:
        if match["info"].split()[0] != "text":
            return match[0]
        return f"```text\n{next(true)}```"

    return BLOCK.sub(block, page)


def test_the_tutorial_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command of the tutorial runs, in order, with the output shown."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))

    pairs = list(answers(PAGE.read_text(encoding="utf-8")))

    assert len(pairs) == 8
    for shown, true in pairs:
        assert shown == true


def test_the_readme_links_to_the_tutorial() -> None:
    """A reader of the README finds the tutorial."""
    readme = PAGE.parents[1] / "README.md"

    assert "(docs/tutorial.md)" in readme.read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.stdin = io.StringIO("")
    text = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        text = rewritten(text)
    PAGE.write_text(text, encoding="utf-8")
