"""Texts from files contain no terminal commands and break no picture."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter import Game
from rulebook import Diagnostic, RulesError, Span, loads, printable_line, render
from rulebook.source.printable import printable_lines
from rulebook.tooling import UNPRINTABLE
from workbench.cli import main
from workbench.cli.frame.output import write_json
from workbench.presentation.picture import scene_of, svg
from workbench.presentation.picture.tags import tag, text_tag, titled_group
from workbench.presentation.picture.text.canvas import Canvas

FILES = Path(__file__).parent / "shown"
DARE = (FILES / "dare.rules").read_text(encoding="utf-8")
HOSTILE = (
    *("\x1b[31mred", "\x1b]0;title\x07", "a\x9b31mb", "over\rwritten", "\b\b\b"),
    *("\u202egnp.exe", "\u2066a\u2069", "\u061ca", "line\u2028break", "\x85next"),
    *("\ufeffmark", "\x00nul", "\x7fdel", "\ud800half", "\uffff"),
)
Output = pytest.CaptureFixture[str]


def shown(capsys: Output, *arguments: str) -> tuple[int, str]:
    """Return the exit code and output of a command, without terminal commands."""
    capsys.readouterr()
    status = main(arguments)
    written = capsys.readouterr()
    assert "Traceback" not in written.err
    whole = written.out + written.err
    assert UNPRINTABLE.findall(whole.replace("\n", "")) == []
    return status, whole


# ------------------------------------------------------------ the one function


@pytest.mark.parametrize("words", HOSTILE)
def test_invisible_characters_are_escaped(words: str) -> None:
    assert UNPRINTABLE.search(words)
    assert UNPRINTABLE.search(printable_line(words)) is None
    assert len(printable_line(words)) == len(words)
    assert printable_line(printable_line(words)) == printable_line(words)
    assert printable_lines(f"a\n\t{words}").startswith("a\n\t")


@pytest.mark.parametrize("sign", ["\ue000", "\U00100000", "\u0378", "\U00050000"])
def test_code_points_without_a_character_are_replaced(sign: str) -> None:
    assert printable_line(f"a{sign}b") == "a\N{REPLACEMENT CHARACTER}b"


@given(st.text())
def test_other_texts_are_unchanged(words: str) -> None:
    seen = printable_line(words)

    assert len(seen) == len(words)
    assert "\n" not in seen
    for before, after in zip(words, seen, strict=True):
        assert after in {before, " ", "\N{REPLACEMENT CHARACTER}"}
        assert before != " " or after == " "
    assert (
        printable_line("Straße, ŁÓDŹ; 日本 “·” 👍 e\u0301 a\u00a0b\u200d").count("�")
        == 0
    )


# ------------------------------------------------------------ terminal and JSON


@pytest.mark.parametrize("words", HOSTILE)
def test_a_diagnostic_shows_no_control_characters(words: str) -> None:
    span = Span(f"{words}.rules", 1, 1, 1, 2)
    other = Span(f"b{words}.rules", 2, 1, 2, 2)
    diagnostic = Diagnostic("RB101", f"unknown {words}", span, words, ((other, words),))
    texts = {span.file: f"kind {words}", other.file: f"x\n{words}"}

    rendered = render(diagnostic, texts)

    assert UNPRINTABLE.findall(rendered.replace("\n", "")) == []


@pytest.mark.parametrize(
    "words", ["\x1b[31mred", "a\nrulebook: b", "\u202eb", "\x9b1m"]
)
def test_file_names_are_shown_on_one_line(
    words: str, working_folder: Path, capsys: Output
) -> None:
    name = f"{words}.rules"
    (working_folder / name).write_text("rules language 1\nknd a: b\n")

    for arguments in (["check", name], ["show", name]):
        status, written = shown(capsys, *arguments)
        assert status == 1
        assert not any(line.startswith("rulebook: b") for line in written.split("\n"))
    assert shown(capsys, "check", f"no{name}")[0] == 2
    assert shown(capsys, "check", "--json", name)[0] == 1
    assert shown(capsys, "replay", f"no{name}")[0] == 2
    assert (
        shown(capsys, "play", str(FILES / "dare.rules"), "--board", f"no{name}")[0] == 2
    )
    assert (
        shown(capsys, "play", str(FILES / "dare.rules"), "--option", f"{words}=1")[0]
        == 2
    )


@pytest.mark.parametrize("words", HOSTILE)
def test_texts_in_records_are_escaped(
    words: str, tmp_path: Path, capsys: Output
) -> None:
    lines = Game.start(loads(DARE, "dare"), seed=1).record.split("\n")
    path = tmp_path / "game.jsonl"
    head = json.loads(lines[0])
    bare = {key: value for key, value in head.items() if key != "sources"}
    for number, line in (
        (0, {**bare, "variant": words}),
        (0, {**head, "seats": [words, "right"]}),
        (0, {**head, "format": words}),
        (0, {**head, "options": {words: 1}}),
        (0, {**head, "board": {words: {}}}),
        (0, {**head, "sources": {words: "nonsense"}}),
        (0, {**head, "sources": {"a": f"rules language 1\n{words}"}}),
        (1, {"chance": words, "outcome": words}),
        (2, {"seat": words, "action": words}),
        (2, {"seat": "left", "action": words}),
        (1, {words: words}),
    ):
        changed = [*lines[:number], json.dumps(line), *lines[number + 1 :]]
        path.write_text("\n".join(changed))
        assert shown(capsys, "replay", str(path))[0] == 1
    assert shown(capsys, "replay", "--json", str(path))[0] == 1


@pytest.mark.parametrize("words", HOSTILE[:-2])
def test_json_output_escapes_characters(words: str, capsys: Output) -> None:
    write_json({words: [words]})

    written = capsys.readouterr().out
    assert UNPRINTABLE.findall(written.removesuffix("\n")) == []
    assert json.loads(written) == {words: [words]}


def test_text_pictures_show_no_control_characters() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "a\x1b[31mb")

    assert list(map(str, canvas.lines(use_unicode=True))) == ["a�[31mb"]


@pytest.mark.parametrize("words", HOSTILE[:-1])
def test_rule_files_may_not_contain_invisible_characters(words: str) -> None:
    """Titles and words therefore contain none; a byte order mark may come first."""
    with pytest.raises(RulesError, match="RB003"):
        loads(f'rules language 1\nrulebook a "{words}"\n'.replace("\r", "\x1b"))


# ------------------------------------------------------------ pictures

GAME = """rules language 1
rulebook first "{title}"
  players 2 to 2
  turns 9
kind good (goods): reed
hexes marsh (marshes) pointy_top
  marsh | q | r | number
  left  | 0 | 0 |      1
  right | 1 | 0 |      2
corners spot (spots)
links path (paths)
piece hut (huts): 4 for each player, stands on spot
game has
  store: bag of good, seen by all, starts with 2 of each
action build(spot)
  needs empty: spot has no hut  "no"
  place your hut on spot
turn
  phase building
    you may do build
words xx
  first = "{title}"
  marsh = "{title}"
  p1 = "{title}"
  hut = "{title}"
  reed = "{title}"
  left = "{title}"
  store = "{title}"
hint label hut: "{title}"
hint label left: "{title}"
"""


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture.encode("utf-8"))  # noqa: S314


def drawn(title: str, language: str | None = None) -> str:
    written = title.replace("\\", "/").replace('"', "'")
    game = Game.start(loads(GAME.replace("{title}", written)), seed=1)
    game.apply("build(C1)")
    return svg(scene_of(game, None, language))


TITLES = (
    *("a ]]> b", "<script>x</script>", "&amp;", "&", "<", ">", "'", "a--b"),
    *("<![CDATA[x", "<!--", "&#0;", "%x;", "']]><g/>", "' onload='x()"),
)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("language", [None, "xx"])
def test_a_hostile_title_remains_a_title(title: str, language: str | None) -> None:
    picture = parsed(drawn(title, language))
    names = {re.sub(r"\{.*\}", "", node.tag) for node in picture.iter()}

    assert (picture[0].text or "") == title
    assert names <= {
        *("svg", "title", "desc", "rect", "text", "g", "polygon", "circle", "line"),
        *("path", "ellipse", "polyline"),
    }


letters = st.characters(codec="utf-8").filter(
    lambda letter: UNPRINTABLE.fullmatch(letter) is None and letter not in '\n\\"'
)


@settings(max_examples=25, deadline=None)
@given(st.text(letters, min_size=1, max_size=12))
def test_every_title_gives_a_well_formed_picture(title: str) -> None:
    assert parsed(drawn(title, "xx"))[0].text


@given(st.text(), st.text())
def test_every_text_can_be_written_in_a_tag(words: str, value: str) -> None:
    whole = titled_group(
        tag("rect", fill=value) + text_tag(1, 2, words, 3, fill=value), words
    )
    tree = parsed(whole)

    assert (tree[0].text or "") == printable_line(words)
    assert tree[1].get("fill") == printable_line(value)


def test_the_fault_file_is_handled(tmp_path: Path, capsys: Output) -> None:
    for name in ("t1.rules", "family_t1.rules"):
        out = tmp_path / "picture.svg"
        status, _ = shown(
            capsys, "board", str(FILES / name), "--players", "2", "--out", str(out)
        )
        assert status == 0
        assert parsed(out.read_text(encoding="utf-8"))[0].text in {"a ]]> b", "x"}


# ------------------------------------------------------------ lists joined with +


@pytest.fixture
def joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("dare.rules", "h1.rules", "a b.rules"):
        (tmp_path / name).write_bytes((FILES / name).read_bytes())
    return tmp_path


@pytest.mark.parametrize(
    "name", ["a b", "7up", "a-b", 'a"b', "a\\b", "v1.2", "\x1b[31m", "a\nb", "…", "_"]
)
def test_an_unknown_name_is_reported(name: str, joined: Path, capsys: Output) -> None:
    (joined / f"{name}.rules").write_text("extends dare\n")
    for variant in (f"dare.rules+{name}.rules", f"{name}.rules+dare.rules"):
        status, written = shown(capsys, "check", variant)
        assert status == 2
        assert f"{printable_line(name)}.rules cannot be joined with `+`" in written
        assert "rename it, for example to " in written
        assert "error RB" not in written


def test_names_in_other_unicode_forms_are_equal(joined: Path, capsys: Output) -> None:
    (joined / "su\u0308d.rules").write_text("extends dare\n")

    status, written = shown(capsys, "check", "dare.rules+su\u0308d.rules")

    assert (status, "no errors" in written) == (0, True)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"extends dare\n# M\xe4d", "RB001: the byte 0xE4"),
        (b"extends dare\n" + b"#\n" * 200_000, "RB002"),
        (b"extends dare\n\x1b", "RB003"),
        (b"extends dare\nknd a: b\n", "RB012"),
    ],
)
def test_a_mistake_in_a_list_of_files_names_its_file(
    data: bytes, code: str, joined: Path, capsys: Output
) -> None:
    (joined / "h1.rules").write_bytes(data)
    for variant in ("dare.rules+h1.rules", "h1.rules+dare.rules", "h1.rules"):
        status, written = shown(capsys, "check", variant)
        assert status == 1
        assert code in written
        assert "--> h1.rules:" in written


def test_a_list_that_is_too_long_is_reported(joined: Path, capsys: Output) -> None:
    names = [f"{letter * 180}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    for name in names:
        (joined / f"{name}.rules").write_text("extends dare\n")

    variant = "+".join(f"{name}.rules" for name in ("dare", *names))
    status, written = shown(capsys, "check", variant)

    assert status == 1
    assert re.search(r"--> (dare|([a-z])\2+)\.rules:1:1", written)


def test_the_fault_files_are_handled(joined: Path, capsys: Output) -> None:
    status, written = shown(capsys, "check", "dare.rules+h1.rules")
    assert (status, "--> h1.rules:2:3" in written) == (1, True)
    assert shown(capsys, "check", "a b.rules")[0] == 0
    assert "a b.rules" in shown(capsys, "check", "dare.rules+a b.rules")[1]


def test_the_name_of_a_torn_record_is_escaped(
    tmp_path: Path, capsys: Output, tiny_path: Path
) -> None:
    record = tmp_path / "a\x1b[31m.jsonl"
    assert (
        main(["play", str(tiny_path), "--seat", "all=random", "--record", str(record)])
        == 0
    )
    record.write_bytes(record.read_bytes()[:-5])

    shown(capsys, "replay", str(record))


def test_a_traceback_contains_no_terminal_commands(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("\x1b[2J")

    monkeypatch.setattr("workbench.cli.frame.dispatch.run", fails)

    assert main(["variants"]) == 70
    assert UNPRINTABLE.findall(capsys.readouterr().err.replace("\n", "")) == []
