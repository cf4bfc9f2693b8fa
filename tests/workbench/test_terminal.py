"""Diagnostics, sentences and tables as shown to people."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from rulebook import RulesError, loads, render
from workbench.cli.rules.explain import write_page
from workbench.presentation.console.console_tables import aligned_columns
from workbench.presentation.console.diagnostics import diagnostic_text
from workbench.presentation.console.streams import (
    console_of,
    has_colours,
    wrap_text,
    write,
)
from workbench.terminal.menu import column_lines as menu_columns

ROOT = Path(__file__).parents[2]
LINE = 5
TEXT = 'rules language 1\nrulebook x "X"\n  players 2 to 2\n\nkind gem: red, red\n'


def rendered_lines(text: str, width: int = 80, name: str = "x") -> list[str]:
    with pytest.raises(RulesError) as caught:
        loads(text, name=name)
    (file,) = {reported.span.file for reported in caught.value.diagnostics}
    texts = {file: text}
    (diagnostic,) = (d for d in caught.value.diagnostics if d.span.line == LINE)
    lines = str(diagnostic_text(diagnostic, texts, width)).splitlines()
    if width > 200:
        assert lines == render(diagnostic, texts).splitlines()
    return lines


def test_mark_is_below_the_marked_text() -> None:
    lines = rendered_lines(TEXT, 300)

    source = next(n for n, line in enumerate(lines) if "kind gem" in line)
    mark = lines[source + 1]
    assert lines[source][mark.index("^") : mark.rindex("^") + 1] == "red"
    assert mark.rindex("^") > lines[source].index("red") + len("red")


def test_narrow_terminal_cuts_the_line_around_the_mark() -> None:
    members = ", ".join(f"gem{n}" for n in range(60))
    lines = rendered_lines(TEXT.replace("red, red", f"{members}, gem3, last"), 40)

    assert max(map(len, lines)) <= 40
    assert any("gem3" in line for line in lines)


@pytest.mark.parametrize("width", [24, 40, 80])
def test_mark_is_aligned_below_wide_letters(width: int) -> None:
    members = ", ".join(f"山{n}" for n in range(20))
    lines = rendered_lines(TEXT.replace("red, red", f"{members}, 山3, last"), width)

    source = next(n for n, line in enumerate(lines) if line.startswith("5 |"))
    quoted, mark = lines[source : source + 2]
    assert max(map(cell_len, lines)) <= width
    assert mark.count("^") == cell_len("山3") == 3
    assert cell_len(quoted[: quoted.rindex("山3")]) == mark.index("^")


def test_place_is_never_wrapped() -> None:
    name = f"{'a-long-folder/' * 9}x"

    assert any(
        line.endswith(f"--> {name}:5:16") for line in rendered_lines(TEXT, 40, name)
    )


def test_sentences_have_a_hanging_indent_measured_in_cells() -> None:
    assert wrap_text("a bb ccc dddd", 6, "  ") == ["a bb", "  ccc", "  dddd"]
    assert wrap_text("山山 山山 山", 5, " ") == ["山山", " 山山", " 山"]
    assert wrap_text("  a wordthatislong b", 8) == ["  a", "wordthat", "islong b"]
    assert wrap_text("", 8) == [""]


# ---------------------------------------------------------------- streams


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", ""), ("TERM", "dumb")])
def test_no_colours_if_disabled(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert has_colours(console_of(Terminal()))

    monkeypatch.setenv(name, value)
    assert not has_colours(console_of(Terminal()))


def test_colours_only_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")  # output to a pipe is documented
    with pytest.raises(RulesError) as caught:
        loads(TEXT)
    pipe, terminal = io.StringIO(), Terminal()
    for stream in (pipe, terminal):
        for diagnostic in caught.value.diagnostics:
            console_of(stream).print(diagnostic_text(diagnostic, {}, 80))

    assert "\033[" not in pipe.getvalue()
    assert terminal.getvalue().startswith("\033[1;31merror RB")


def test_a_page_is_set_for_a_terminal_with_colours_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = "# A page\n\nSome `words`, [red]as they are[/red].\n\n```rules bad\nx\n```\n"
    plain = "A page\n\nSome `words`, [red]as they are[/red].\n\n    x\n"
    monkeypatch.setenv("TERM", "xterm")
    for wanted in ("", None):
        stream = Terminal()
        monkeypatch.setattr("sys.stdout", stream)
        if wanted is None:
            monkeypatch.delenv("NO_COLOR", raising=False)
            write_page(page)
            assert "\033[1mwords" in stream.getvalue()
            assert "[red]as they are[/red]" in stream.getvalue()
        else:
            monkeypatch.setenv("NO_COLOR", wanted)
            write_page(page)
            assert stream.getvalue() == plain


def test_closed_pipe_is_not_an_error(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S602  (a pipe of the shell)
        "set -o pipefail; yes kind | head -99 > many.rules;"
        f' "{sys.executable}" -m workbench check many.rules | true; echo "$?"',
        shell=True,
        executable="/bin/bash",
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert (done.stdout, done.stderr) == ("0\n", "")


# ---------------------------------------------------------------- tables


ROWS = [("a", "山", "1"), ("bcd", "e", "22")]


def test_columns_are_measured_in_cells() -> None:
    pipe = io.StringIO()
    write(
        console_of(pipe),
        aligned_columns(ROWS, headings=("x", "y", "z"), right_aligned=[2], indent=1),
    )

    assert pipe.getvalue().splitlines() == [
        " x    y    z",
        " a    山   1",
        " bcd  e   22",
    ]
    assert list(menu_columns(["1 山", "2 a", "3 bc"], 11, ">")) == [
        ">1 山  2 a",
        ">3 bc",
    ]


def test_cells_wrap_on_a_narrow_terminal_but_not_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = aligned_columns([("name", "some words that are long " * 8)], wrapping=[1])
    monkeypatch.setenv("COLUMNS", "40")
    for stream, least, most in ((Terminal(), 6, 40), (io.StringIO(), 1, 300)):
        write(console_of(stream), table)
        lines = stream.getvalue().splitlines()
        assert len(lines) >= least
        assert max(map(len, lines)) <= most
        assert all(line.startswith(" " * 6) for line in lines[1:])


@pytest.mark.parametrize("width", range(20, 90, 3))
def test_a_terminal_of_any_width_loses_no_word(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        ("a game", "a_name_of_no_blanks", "13.67 times", "some words that are long"),
        ("x", "y", "1 times", "geographies: b"),
    ]
    table = aligned_columns(
        rows, right_aligned=[2], wrapping=[3], min_widths=[10], indent=2
    )
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", str(width))
    write(console_of(terminal), table)

    said = terminal.getvalue()
    words = " ".join(cell for row in rows for cell in row).split()
    assert sorted(said.split()) == sorted(words)
    least = 2 + 10 + 2 + 19 + 2 + 11 + 2 + len("geographies:")
    assert max(map(len, said.splitlines())) <= max(width, least)


def test_table_cells_cannot_control_the_terminal() -> None:
    pipe = io.StringIO()
    write(Console(file=pipe), aligned_columns([("\033[31m", "[bold]x[/bold] :smile:")]))

    assert pipe.getvalue() == "\N{REPLACEMENT CHARACTER}[31m  [bold]x[/bold] :smile:\n"
