"""Companion files of a game: scenarios, looks, and words in a language."""

from pathlib import Path

import pytest

import rulebook
from interpreter import Game, read_header
from rulebook import Rulebook
from tests.workbench.test_pytest_plugin import pytest_in
from workbench import load
from workbench.analysis.simulation.settings import Settings
from workbench.cli import main
from workbench.files.library.loading import examine
from workbench.files.records.record_headers import rules_of_record
from workbench.testing.rule_tests.suite import run_suite

SCENARIOS = """\
rules language 1
scenarios of tiny

scenario "a pair is worth a point" with 2 players
  given
    move 2 white from heap to north's pouch
    north is to move in swap
  when
    north does cash_in(white)
  then
    require north's score = 1

invariant "the heap never grows"
  require number of pebble in heap <= 18
"""
LOOK = """\
rules language 1
look of tiny

hint colour white: "#ffffff"
hint value of player
  rich: player's wealth

define player's wealth: 0 to 18
  number of pebble in player's pouch
"""
WORDS = """\
rules language 1
words de of tiny

words
  pebble = "Kiesel", "Kiesel"

words of cash_in "ein Paar {pebble} abgeben"
  pair = "dazu gehören zwei von einer Farbe"
"""
COMING = "  comes with scenarios, look, de\n"


@pytest.fixture
def folder(tmp_path: Path, tiny_path: Path) -> Path:
    head = '"A tiny game"\n'
    text = tiny_path.read_text(encoding="utf-8").replace(head, head + COMING)
    for name, text_of_it in (
        ("tiny", text),
        ("tiny.scenarios", SCENARIOS),
        ("tiny.look", LOOK),
        ("tiny.de", WORDS),
    ):
        (tmp_path / f"{name}.rules").write_text(text_of_it, encoding="utf-8")
    return tmp_path


@pytest.fixture
def book(folder: Path) -> Rulebook:
    return load(str(folder / "tiny.rules"))


def test_companions_are_part_of_the_game(book: Rulebook, folder: Path) -> None:
    assert [scenario.title for scenario in book.model.scenarios] == [
        "a pair is worth a point"
    ]
    assert [invariant.title for invariant in book.model.invariants] == [
        "the heap never grows"
    ]
    assert book.model.hints
    assert book.model.values is not None
    assert book.words["de"] == {
        "pebble": ("Kiesel", "Kiesel"),
        "cash_in": ("ein Paar {pebble} abgeben",),
        "cash_in.pair": ("dazu gehören zwei von einer Farbe",),
    }
    assert [Path(file).name for file in book.files] == [
        "tiny.rules",
        "tiny.scenarios.rules",
        "tiny.look.rules",
        "tiny.de.rules",
    ]
    assert book.clauses["define.wealth(player)"].span.file == str(
        folder / "tiny.look.rules"
    )


def test_digest_equals_that_of_a_single_file(book: Rulebook, folder: Path) -> None:
    names = ("tiny", "tiny.scenarios", "tiny.look", "tiny.de")
    texts = [(folder / f"{name}.rules").read_text() for name in names]
    bare = [text.split("\n", 2)[2] for text in texts[1:]]
    words = bare[-1].replace("words\n", "words de\n", 1).split("words of")[0]
    whole = "\n".join([texts[0].replace(COMING, ""), *bare[:-1], words])

    assert rulebook.loads(whole).digest == book.digest


def test_companions_are_found_by_name(book: Rulebook) -> None:
    texts = {Path(file).stem: text for file, text in book.files.items()}

    again = rulebook.loads(texts["tiny"], "tiny.rules", texts.get)

    assert again.digest == book.digest
    assert again.words == book.words
    assert list(again.files) == [f"{name}.rules" for name in texts]


def test_record_contains_the_companions(book: Rulebook) -> None:
    game = Game.start(book, players=2, seed=1)

    again = rules_of_record(game.record)

    names = ["tiny", "tiny.scenarios", "tiny.look", "tiny.de"]
    assert list(read_header(game.record)["sources"]) == names
    assert [scenario.title for scenario in again.model.scenarios] == [
        "a pair is worth a point"
    ]


def test_missing_companion_is_a_warning(folder: Path) -> None:
    (folder / "tiny.look.rules").unlink()

    book, diagnostics = examine(str(folder / "tiny.rules"))

    assert book is not None
    assert [(diagnostic.code, diagnostic.severity) for diagnostic in diagnostics] == [
        ("RB169", "warning")
    ]
    assert diagnostics[0].message == "there is no file `tiny.look.rules`"


@pytest.mark.parametrize(
    ("name", "text", "codes"),
    [
        ("look", LOOK + "\nkind mood: calm, wild\n", ["RB171"]),
        ("look", LOOK + "\nremove option quick\n", ["RB171"]),
        ("scenarios", SCENARIOS + "\nreplace option quick: yes\n", ["RB171"]),
        ("de", WORDS + '\nwords en\n  pebble = "x"\n', ["RB171"]),
        ("de", WORDS.replace("of tiny", "of other"), ["RB170"]),
        ("de", WORDS.replace("words de", "words en"), ["RB170"]),
        ("scenarios", LOOK, ["RB170"]),
        ("scenarios", 'rules language 1\nrulebook x "X"\n', ["RB170"]),
        ("scenarios", "rules language 1\n", ["RB170"]),
        ("look", LOOK.replace("hint value", "hint vale"), ["RB011"]),
    ],
)
def test_rejects_clauses_that_a_companion_must_not_contain(
    folder: Path, name: str, text: str, codes: list[str]
) -> None:
    (folder / f"tiny.{name}.rules").write_text(text, encoding="utf-8")

    _, diagnostics = examine(str(folder / "tiny.rules"))

    assert [diagnostic.code for diagnostic in diagnostics] == codes
    assert Path(diagnostics[0].span.file).name == f"tiny.{name}.rules"


def test_companion_without_its_game_is_an_error(folder: Path) -> None:
    book, (diagnostic,) = examine(str(folder / "tiny.de.rules"))

    assert book is None
    assert (diagnostic.code, diagnostic.span.line) == ("RB170", 2)


def test_words_without_a_language_are_an_error(folder: Path) -> None:
    path = folder / "tiny.rules"
    path.write_text(path.read_text() + '\nwords\n  pebble = "x"\n')

    _, diagnostics = examine(str(path))

    assert [diagnostic.code for diagnostic in diagnostics] == ["RB171"]


def test_extending_game_has_the_scenarios_of_its_base(folder: Path) -> None:
    text = 'rules language 1\nrulebook more "More"\n  extends tiny\n'
    (folder / "more.rules").write_text(text)

    book = load(str(folder / "more.rules"))

    assert [scenario.title for scenario in book.model.scenarios] == [
        "a pair is worth a point"
    ]
    assert book.own_files == {str(folder / "more.rules")}


def test_failing_scenario_is_reported_in_the_companion(folder: Path) -> None:
    path = folder / "tiny.scenarios.rules"
    path.write_text(SCENARIOS.replace("score = 1", "score = 2"), encoding="utf-8")

    status = main(["test", str(folder / "tiny.rules"), "--games", "0", "--json"])
    book = load(str(folder / "tiny.rules"))
    items = [
        outcome for outcome in run_suite(book, Settings(), games=0) if outcome.is_failed
    ]

    assert status == 1
    assert [(Path(outcome.file).name, outcome.line) for outcome in items] == [
        (path.name, 4)
    ]
    assert "instead of `extends`" not in (items[0].message or "")


def test_format_sorts_the_companions(folder: Path) -> None:
    path = folder / "tiny.de.rules"
    path.write_text(WORDS.replace("  pair =", "     pair   ="), encoding="utf-8")

    assert main(["format", str(path), str(folder / "tiny.look.rules")]) == 0

    assert path.read_text(encoding="utf-8") == WORDS


def test_show_prints_the_location_of_a_clause(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(folder / "tiny.rules"), "wealth"]) == 0

    assert "tiny.look.rules:8  define player's wealth" in capsys.readouterr().out


def test_pytest_collects_each_scenario_once(folder: Path) -> None:
    (folder / "more.rules").write_text(
        'rules language 1\nrulebook more "More"\n  extends tiny\n'
    )

    status, said = pytest_in(folder, "-v")

    assert status == 0
    assert "tiny.rules::scenario: a pair is worth a point PASSED" in said
    assert "tiny.rules::invariant: the heap never grows PASSED" in said
    assert "2 passed" in said


def test_pytest_rejects_a_companion_that_no_game_uses(folder: Path) -> None:
    path = folder / "tiny.rules"
    path.write_text(path.read_text().replace("scenarios, ", ""), encoding="utf-8")

    status, said = pytest_in(folder, "-q")

    assert status == 2
    assert "RB170: this file belongs to `tiny`" in said
