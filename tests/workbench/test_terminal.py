"""Diagnostics and sentences as people see them."""

import io

import pytest

from rulebook import RulesError, loads
from workbench.styles import Painter, diagnostic_text

LINE = 5
TEXT = 'rules language 1\nrulebook x "X"\n  players 2 to 2\n\nkind gem: red, red\n'


def shown(text: str, painter: Painter) -> list[str]:
    with pytest.raises(RulesError) as caught:
        loads(text, name="x")
    (file,) = {one.span.file for one in caught.value.diagnostics}
    texts = {file: text}
    (found,) = (one for one in caught.value.diagnostics if one.span.line == LINE)
    return diagnostic_text(found, painter, texts).splitlines()


def test_the_mark_stands_under_the_guilty_text() -> None:
    lines = shown(TEXT, Painter())

    source = next(n for n, line in enumerate(lines) if "kind gem" in line)
    mark = lines[source + 1]
    assert lines[source][mark.index("^") : mark.rindex("^") + 1] == "red"
    assert mark.rindex("^") > lines[source].index("red") + len("red")


def test_a_narrow_terminal_cuts_the_line_round_the_mark() -> None:
    members = ", ".join(f"gem{n}" for n in range(60))
    lines = shown(TEXT.replace("red, red", f"{members}, gem3, last"), Painter(width=40))

    assert max(map(len, lines)) <= 40
    assert any("gem3" in line for line in lines)


def test_colours_only_when_asked_for() -> None:
    assert "\033[" not in "".join(shown(TEXT, Painter()))
    assert "\033[" in "".join(shown(TEXT, Painter(colours=True)))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", ""), ("TERM", "dumb")])
def test_no_colours_where_they_are_not_wanted(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Painter.of(Terminal()).colours

    monkeypatch.setenv(name, value)
    assert not Painter.of(Terminal()).colours
