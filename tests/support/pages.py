r"""Pages of `docs/diagnostics`: their examples, and the messages for them.

A page contains blocks of rules. The words after ```` ```rules ```` describe a block:
`bad` and `good` are examples, `also NAME` is another file. Three words produce bytes
that a page cannot show. `latin-1` is another encoding, `escapes` allows `\x0c` for a
character, and `repeat=N` repeats the text in `⟨ ⟩` N times. `calls=N` lowers the limit
of nested calls, which no page could reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs

import rulebook
from rulebook.source.diagnostics import CODES, Diagnostic

FOLDER = Path(__file__).parents[2] / "docs" / "diagnostics"
PRELUDE = "camps"
NAME = "house.rules"
"""File name of an example."""

BLOCK = re.compile(
    r"^```rules (?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
PRINTED = re.compile(r"^```text\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
REPEATED = re.compile("⟨(.*?)⟩", re.DOTALL)


@attrs.frozen
class Block:
    """Example on a page: the words that describe it, and its text."""

    words: tuple[str, ...]
    text: str

    @property
    def sort(self) -> str:
        """`bad`, `good` or `also`."""
        return self.words[0]

    def setting(self, name: str) -> str | None:
        """Return the value of a word `name=value`."""
        settings = (word.partition("=") for word in self.words)
        return next((value for key, _, value in settings if key == name), None)

    @property
    def data(self) -> bytes:
        """Bytes of the file that the block represents."""
        times, text = int(self.setting("repeat") or 1), self.text
        text = REPEATED.sub(lambda match: match[1] * times, text)
        if "escapes" in self.words:
            text = re.sub(r"\\x(..)", lambda match: chr(int(match[1], 16)), text)
        return text.encode("latin-1" if "latin-1" in self.words else "utf-8")


def path_of(code: str) -> Path:
    """Return the path of the page of a code."""
    return FOLDER / f"{code}.md"


def blocks(text: str) -> list[Block]:
    """Return the examples of a page in order."""
    return [
        Block(tuple(match["info"].split()), match["text"])
        for match in BLOCK.finditer(text)
    ]


def diagnostics(
    page: list[Block], block: Block, folder: Path
) -> tuple[Diagnostic, ...]:
    """Write the files of an example to a folder; return its diagnostics."""
    prelude = FOLDER / f"{PRELUDE}.rules"
    (folder / prelude.name).write_bytes(prelude.read_bytes())
    for other in page:
        if other.sort == "also":
            (folder / other.words[1]).write_bytes(other.data)
    (folder / NAME).write_bytes(block.data)
    calls = block.setting("calls")
    limits = rulebook.Limits(calls=int(calls)) if calls else None
    return rulebook.examine(folder / NAME, limits=limits)[1]


def printed(told: tuple[Diagnostic, ...], code: str, folder: Path) -> str:
    """Return the command's output for a page's code, without the folder's name."""
    texts = {}
    for path in sorted(folder.glob("*.rules")):
        texts[str(path)] = path.read_bytes().decode(errors="replace")
    own = [diagnostic for diagnostic in told if diagnostic.code == code]
    return rulebook.render_all(own, texts).replace(f"{folder}/", "") + "\n"


def regenerated(text: str, code: str, folder: Path) -> str:
    """Return a page with its current title and message."""
    page = blocks(text)
    (bad,) = (block for block in page if block.sort == "bad")
    message = printed(diagnostics(page, bad, folder), code, folder)
    text = PRINTED.sub(lambda _: f"```text\n{message}```", text, count=1)
    return re.sub(r"\A# .*", f"# {code}: {CODES[code]}", text)


def index() -> str:
    """Return the page that lists all codes."""
    return "\n".join(_index_lines()) + "\n"


def _index_lines() -> Iterator[str]:
    yield from (
        "# Diagnostics for rule files",
        "",
        "Every error in a rule file has a code, which is never reused. The page of a",
        "code states the rule, an example with its message, and the correction.",
        "`rulebook explain RB012` prints a page.",
        "",
        f"Most examples extend a small game, [{PRELUDE}.rules]({PRELUDE}.rules). Each",
        "example is the content of a file `house.rules`. `⟨ ⟩` marks text that the",
        "file repeats many times.",
        "",
        "`tests/rulebook/test_diagnostic_pages.py` generates the list of codes and the",
        "messages on the pages.",
    )
    for title, first, last in (
        ("Reading the file", 1, 99),
        ("Names, types and meaning", 100, 159),
        ("Combining files", 160, 999),
    ):
        yield from ("", f"## {title}", "")
        for code, word in CODES.items():
            if first <= int(code[2:]) <= last:
                yield f"* [{code}]({code}.md): {word}"
