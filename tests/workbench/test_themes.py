"""Themes: drawings, colours and styles as data, next to a game or shipped."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import rulebook
from interpreter import Game
from rulebook import Rulebook, RulesError
from rulebook.model.predefined_looks import PALETTE
from tests.support.commands import Output, output_of
from workbench import load
from workbench.cli import main
from workbench.files.library.loading import examine, shipped_text, themes
from workbench.presentation.localization.languages import phrase_table
from workbench.presentation.picture import scene_of, svg
from workbench.presentation.picture.text.board_lines import board_lines

GAME = """\
rules language 1
rulebook farm "A farm"
  players 2 to 2
  seats blue, green
  turns 4
  theme dusk

kind ground (grounds): meadow, wood
hexes field (fields) pointy_top
  field | q | r | ground | number
  one   | 0 | 0 | meadow | 3
  two   | 1 | 0 | wood   | 4
  three | 0 | 1 | wood   | 2
corners post (posts)
links edge (edges)
piece cow: 1 for each player, stands on post
dice first_die, second_die: 1 to 3
setup
  place blue's cow on some post
turn
  phase day
    stop
look
  ground | colour | pattern
  wood   | deep   | reeds
  meadow | grass  | waves
hint pips number: "first_die + second_die"
"""
GAME = GAME.replace("setup\n  place blue's cow on some post\n", "")
DUSK = """\
rules language 1
theme dusk "In the evening"

colours
  deep:  "#101030"
  grass: "#305030"

drawing reeds
  path     | line | fill
  "M0 6V-6" | deep | -

style
  part      | colour | dots | shape
  token     | grass  | yes  | block
  likeliest | deep   | -    | -
  board     | deep   | -    | -
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, "farm", GAME)
    write(tmp_path, "dusk.theme", DUSK)
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    (folder / f"{name}.rules").write_text(text, encoding="utf-8")


def book_in(folder: Path, name: str = "farm") -> Rulebook:
    return load(str(folder / f"{name}.rules"))


def looks(book: Rulebook) -> dict[str, str]:
    return {f"{hint.word} {hint.name}": hint.text for hint in book.model.hints}


def picture(book: Rulebook) -> str:
    return svg(scene_of(Game.start(book, seed=1)))


def test_game_uses_the_colours_drawings_and_styles_of_its_theme(folder: Path) -> None:
    book = book_in(folder)
    drawn = picture(book)

    assert looks(book)["colour wood"] == "#101030"
    assert [stroke.path for stroke in book.model.drawings["reeds"].strokes] == [
        "M0 6V-6"
    ]
    assert drawn.count('d="M0 6V-6"') == 2 * 12 + 1
    assert drawn.count('r="1.89"') == 1 + 2 + 3
    assert 'font-weight="bold" fill="#101030">4</text>' in drawn
    assert re.search(r'<polygon points="[^"]*" fill="#101030" stroke="#101030"', drawn)


def test_without_a_theme_a_token_is_plain(folder: Path) -> None:
    write(folder, "dusk.theme", DUSK.split("style", maxsplit=1)[0])

    drawn = picture(book_in(folder))

    assert 'r="1.89"' not in drawn
    assert 'fill="#222222">4</text>' in drawn


def test_the_rules_are_the_same_with_and_without_a_look(folder: Path) -> None:
    book = book_in(folder)
    bare = GAME.split("look\n")[0].replace("  theme dusk\n", "")

    assert rulebook.loads(bare).digest == book.digest


def test_style_table_equals_single_lines(folder: Path) -> None:
    lines = """\
hint colour wood: deep
hint pattern wood: "reeds"
hint colour meadow: "grass"
hint pattern meadow: waves
"""
    before = book_in(folder)
    head, tail = GAME.split("look\n")
    pips = tail[tail.index("hint pips") :]
    write(folder, "farm", f"{head}{lines}{pips}")

    assert set(book_in(folder).model.hints) == set(before.model.hints)
    assert picture(book_in(folder)) == picture(before)


def test_game_takes_precedence_over_its_theme(folder: Path) -> None:
    write(folder, "farm", GAME + 'colour deep: "#000001"\nhint board colour: red\n')

    shown = looks(book_in(folder))

    assert shown["colour wood"] == "#000001"
    assert shown["board colour"] == PALETTE["red"]
    assert shown["likeliest colour"] == "#000001"


def test_later_theme_takes_precedence(folder: Path) -> None:
    late = 'rules language 1\ntheme late "L"\n\ncolour deep: "#000002"\n'
    write(folder, "late.theme", late)
    for named, colour in (("dusk, late", "#000002"), ("late, dusk", "#101030")):
        write(folder, "farm", GAME.replace("theme dusk", f"theme {named}"))

        assert looks(book_in(folder))["colour wood"] == colour


def test_theme_can_extend_another(folder: Path) -> None:
    late = 'rules language 1\ntheme late "L"\n  theme dusk\n\ncolour deep: "#000002"\n'
    write(folder, "late.theme", late)
    write(folder, "farm", GAME.replace("theme dusk", "theme late"))

    book = book_in(folder)

    assert looks(book)["colour wood"] == "#000002"
    assert looks(book)["colour meadow"] == "#305030"


def test_cyclic_themes_are_rejected(folder: Path) -> None:
    write(folder, "dusk.theme", DUSK.replace('evening"\n', 'evening"\n  theme late\n'))
    write(folder, "late.theme", 'rules language 1\ntheme late "L"\n  theme dusk\n')

    with pytest.raises(RulesError, match=r"RB165.*dusk\.theme -> late\.theme -> dusk"):
        book_in(folder)


def test_house_rule_can_change_a_theme(folder: Path) -> None:
    house = """\
extends farm
replace colour deep: "#000003"
replace style
  part  | dots
  token | no
replace look
  ground | pattern
  wood   | slope
remove drawing reeds
remove look likeliest
remove look meadow
"""
    write(folder, "house", house)

    book = book_in(folder, "house")

    shown = looks(book)
    assert shown["colour wood"] == "#000003"
    assert shown["pattern wood"] == "slope"
    assert shown["token dots"] == "no"
    assert not {name for name in shown if "meadow" in name or "likeliest" in name}
    assert not book.model.drawings


def test_removed_drawing_is_reported_where_it_is_used(folder: Path) -> None:
    write(folder, "house", "extends farm\nremove drawing reeds\n")

    with pytest.raises(RulesError) as caught:
        book_in(folder, "house")

    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.message) == (
        "RB101",
        "`reeds` is removed here, but remaining rules use it",
    )


def test_rejects_removal_of_an_undeclared_look(folder: Path) -> None:
    write(folder, "house", "extends farm\nremove look meadw\n")

    with pytest.raises(RulesError) as caught:
        book_in(folder, "house")

    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.help) == ("RB163", "did you mean `meadow`?")
    assert diagnostic.span.column == 13


def test_two_house_rules_cannot_change_the_same_look(folder: Path) -> None:
    for name, colour in (("a", "red"), ("b", "blue")):
        head = f'rules language 1\nrulebook {name} "{name}"\n  over farm\n\n'
        write(folder, name, f"{head}replace hint colour wood: {colour}\n")
    parts = "+".join(str(folder / f"{name}.rules") for name in ("farm", "a", "b"))

    _, diagnostics = rulebook.examine_text(
        "extends farm, a, b\n", "top.rules", folder=folder
    )

    assert [diagnostic.code for diagnostic in diagnostics] == ["RB167"], parts


# ---------------------------------------------------------------- missing themes


def test_a_missing_theme_is_a_warning_and_the_game_is_drawn(folder: Path) -> None:
    write(folder, "farm", GAME.replace("theme dusk", "theme dsuk"))

    book, (diagnostic,) = examine(str(folder / "farm.rules"))

    assert book is not None
    assert (diagnostic.severity, diagnostic.code) == ("warning", "RB169")
    assert (diagnostic.span.line, diagnostic.span.column) == (6, 9)
    assert diagnostic.help == "did you mean `dusk`?"
    assert "colour wood" not in looks(book)
    assert looks(book)["pattern meadow"] == "waves"
    assert ET.fromstring(picture(book)) is not None  # noqa: S314  (our own text)


def test_misspelt_shipped_theme_gets_a_suggestion() -> None:
    text = GAME.replace("theme dusk", "theme contryside").replace("deep", "red")

    book, diagnostics = rulebook.examine_text(text, "x.rules", shipped_text)

    assert book is not None
    assert [diagnostic.help for diagnostic in diagnostics] == [
        "did you mean `countryside`?"
    ]


@pytest.mark.parametrize(
    ("theme", "code", "said"),
    [
        ('rules language 1\nrulebook dusk "D"\n', "RB170", "is not the theme `dusk`"),
        ('rules language 1\ntheme dask "D"\n', "RB170", "is not the theme `dusk`"),
        (DUSK + "kind a: b\n", "RB171", "this clause does not belong here"),
        (DUSK + "hint colour wood: red\n", "RB171", "so it cannot name `wood`"),
        (DUSK + "remove drawing reeds\n", "RB171", "does not belong here"),
        (DUSK.replace('ng"\n', 'ng"\n  players 2 to 2\n'), "RB171", "the head"),
    ],
)
def test_rejects_a_file_that_is_not_a_theme(
    folder: Path, theme: str, code: str, said: str
) -> None:
    write(folder, "dusk.theme", theme)

    with pytest.raises(RulesError) as caught:
        book_in(folder)

    diagnostic = caught.value.diagnostics[0]
    assert (diagnostic.code, Path(diagnostic.span.file).name) == (
        code,
        "dusk.theme.rules",
    )
    assert said in diagnostic.message
    assert diagnostic.help


def test_theme_is_checked_with_a_game_that_uses_it(
    folder: Path, capsys: Output
) -> None:
    theme = folder / "dusk.theme.rules"
    assert main(["check", str(theme)]) == 0  # checked with the game that uses it
    for game in set(folder.glob("*.rules")) - {theme}:
        game.unlink()
    printed = output_of(capsys, "check", str(theme), status=1)
    assert "a game whose header contains `theme dusk`" in printed


# ---------------------------------------------------------------- hostile files


PATH = '  "M0 6V-6" | deep | -'
ROWS = "\n".join([PATH] * 9)
COLOURS = "\n".join(f'colour c{n}: "#000000"' for n in range(100))
HOSTILE = [
    (PATH, '  "M0 0\\"/><script>" | deep | -', "`/` (solidus) has no meaning"),
    (PATH, '  "M0 0<script>" | deep | -', "“<” is not allowed in a path"),
    (PATH, '  "M0 0\x07" | deep | -', "a control character"),
    (PATH, '  "M0 6V99999999999999999999" | deep | -', "leaves its frame"),
    (PATH, '  "M0 6VNaN" | deep | -', "`V` takes a number"),
    (PATH, '  "M0 6V٣٣" | deep | -', "leaves its frame"),
    (PATH, f'  "M0 0{"L1 1" * 200}" | deep | -', "804 characters"),
    (PATH, f'  "M0 0{"L1 1" * 2000}" | deep | -', "this line has"),
    (PATH, ROWS, "at most 8 paths"),
    (PATH, '  "M0 6V-6" | "url(#a)" | -', "“url(#a)” is not a colour"),
    (PATH, '  "M0 6V-6" | "#12345" | -', "“#12345” is not a colour"),
    ("| line | fill", "| line | onclick", "unknown column of a drawing `onclick`"),
    ("board ", "bored ", "unknown sort of hint `bored`"),
    ('"#101030"', "'#101030'", "is not a quotation mark here"),
    ("colours\n", f"{COLOURS}\n\ncolours\n", "more than 100 colours"),
]


@pytest.mark.parametrize(("old", "new", "said"), HOSTILE)
def test_hostile_theme_is_rejected_with_its_place(
    folder: Path, old: str, new: str, said: str
) -> None:
    assert old in DUSK
    write(folder, "dusk.theme", DUSK.replace(old, new, 1))

    book, diagnostics = examine(str(folder / "farm.rules"))

    assert book is None
    there = [diagnostic for diagnostic in diagnostics if said in diagnostic.message]
    assert there, [diagnostic.message for diagnostic in diagnostics]
    assert Path(there[0].span.file).name == "dusk.theme.rules"
    assert all(diagnostic.help for diagnostic in there)


def test_a_theme_of_megabytes_is_not_read(folder: Path) -> None:
    write(folder, "dusk.theme", DUSK + "# much\n" * 100_000)

    book, diagnostics = examine(str(folder / "farm.rules"))

    assert book is None
    assert diagnostics[0].code == "RB002"


def test_path_is_rewritten_in_canonical_form(folder: Path) -> None:
    odd = '  "m 0,6.000\t-1 -00.5 , v -6.004"'
    write(folder, "dusk.theme", DUSK.replace('  "M0 6V-6"', odd.replace("\t", " ")))

    (stroke,) = book_in(folder).model.drawings["reeds"].strokes

    assert stroke.path == "m0 6 -1 -0.5v-6"


def test_picture_contains_only_numbers_names_and_titles_of_a_file(
    folder: Path,
) -> None:
    write(folder, "farm", GAME + 'hint label wood: "<b onload=x>&quot;"\n')

    drawn = picture(book_in(folder))

    assert "<b" not in drawn
    paths = re.findall(r' d="([^"]*)"', drawn)
    assert paths
    assert all(re.fullmatch(r"[MLHVCSQTAZmlhvcsqtaz0-9. -]*", path) for path in paths)


# ---------------------------------------------------------------- shipped files


@pytest.mark.parametrize("name", themes())
def test_a_shipped_theme_is_drawn(name: str) -> None:
    text = GAME.replace("theme dusk", f"theme {name}").replace("deep", "red")
    text = text.replace("grass", "green").replace("reeds", "firs")

    book, diagnostics = rulebook.examine_text(text, "x.rules", shipped_text)

    assert diagnostics == ()
    assert book is not None
    assert 'd="M0 -6L4 1' in picture(book)


def test_only_shipped_themes_are_found() -> None:
    assert themes() == ("countryside",)
    assert shipped_text("countryside.theme")
    for name in ("no.theme", "../countryside.theme", "/etc/passwd.theme", ".theme"):
        assert shipped_text(name) is None


def test_colours_are_the_same_for_rules_and_for_seats() -> None:
    assert dict(phrase_table("en", "colours")) == PALETTE


def test_kind_named_like_a_colour_has_that_colour(folder: Path) -> None:
    text = GAME.replace("wood", "brown").replace("| deep ", "| -    ")
    write(folder, "farm", text)

    assert f'fill="{PALETTE["brown"]}" stroke="#ffffff"' in picture(book_in(folder))


def test_text_board_marks_the_likeliest_number(folder: Path) -> None:
    scene = scene_of(Game.start(book_in(folder), seed=1))
    lines = "\n".join(map(str, board_lines(scene, 80)))

    assert "4!" in lines
    assert "3!" not in lines
