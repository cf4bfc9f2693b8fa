"""An errata sheet lists the changes of a house rule, and nothing else."""

import rulebook
from rulebook import Rulebook
from tests.printing.pages import ROOT, book, printed, sheet
from workbench.files.library.loading import shipped_text
from workbench.presentation.printing.pages import PageSection, lines_of, text_of
from workbench.presentation.printing.sentences.text_runs import unstyled

FIRST = "examples/first/first.rules"
HEARTS = "examples/games/hearts.rules"


def over(variant: str, text: str) -> Rulebook:
    """Return a house rule over an example or a shipped game."""
    path = ROOT / variant

    def resolve(name: str) -> str | None:
        if path.is_file() and name == path.stem:
            return path.read_text(encoding="utf-8")
        return shipped_text(name)

    name = path.stem
    head = f'rules language 1\nrulebook mine "Mine"\n  extends {name}\n\n'
    return rulebook.loads(head + text, "mine.rules", resolve)


def changes(text: str, variant: str = FIRST, language: str = "en") -> list[PageSection]:
    """Return the changes on the sheet of a house rule, without the index."""
    page = sheet(over(variant, text), book(variant), language)
    return [
        part
        for chapter in page.parts
        if chapter.place != "index"
        for part in chapter.parts
    ]


def line_texts(part: PageSection) -> list[str]:
    return [
        unstyled(part.title),
        *(unstyled(line.text) for line in lines_of(part)),
    ]


def test_a_cost_changes_its_line_and_no_other() -> None:
    assert [line_texts(part) for part in changes("replace cost hut: 3 reed\n")] == [
        [
            "Changed: “Cost card: Hut”",
            "Before: Cost: 2 reed",
            "Now: Cost: 3 reed",
        ]
    ]


def test_an_option_changes_its_line_and_no_other() -> None:
    (part,) = changes("replace option last_score: 60\n", HEARTS)

    assert line_texts(part) == [
        "Changed: “Last score”",
        "Before: Default: 50",
        "Now: Default: 60",
    ]


def test_the_same_rules_have_an_empty_sheet() -> None:
    page = sheet(book(FIRST), book(FIRST))

    assert page.parts == ()
    assert unstyled(page.notes[-1]) == "No changes."


def test_changed_requirement_is_shown_before_and_after() -> None:
    (part,) = changes(
        "in action build_hut\n"
        '  replace needs empty: spot has no hut and your points < 3 "enough"\n'
    )
    title, before, after = line_texts(part)

    assert title == "Changed: “Build hut”"
    assert before.startswith("Before: Only if ")
    assert after.startswith("Now: Only if there is no hut on the spot and your ")
    assert after.endswith("points is less than 3: “enough”.")


def test_added_and_removed_rules() -> None:
    parts = changes(
        "action dance\n  stop\n\nin phase building\n  add action dance\n\n"
        "remove rule victory\n"
    )
    titles = {unstyled(part.title) for part in parts}

    assert "New: “Dance”" in titles
    assert "Removed: “Victory”" in titles
    assert "Nothing else happens." in text_of(
        next(part for part in parts if unstyled(part.title) == "New: “Dance”")
    )


def test_added_line_of_a_phase() -> None:
    parts = changes("action dance\n  stop\n\nin phase building\n  add action dance\n")
    phase = next(part for part in parts if part.place == "phase.building")

    assert line_texts(phase)[1:] == ["New: Dance"]


def test_in_german() -> None:
    (part,) = changes("replace cost hut: 3 reed\n", language="de")

    assert line_texts(part) == [
        "Geändert: „Kostenkarte: Hut“",
        "Bisher: Kosten: 2 reed",
        "Jetzt: Kosten: 3 reed",
    ]


def test_a_shipped_house_rule() -> None:
    rules = book("germany+cheap_landmarks")
    page = sheet(rules, book("germany"))
    (part,) = page.parts[0].parts

    assert line_texts(part)[1:] == [
        "Before: Cost: 1 grain and 2 ore",
        "Now: Cost: 1 grain and 1 ore",
    ]
    assert [cite.heading for cite in part.cites] == ["Landmarks"]
    assert unstyled(page.parts[-1].title) == "Index of citations"


WORDS = """
define spot is calm for player
  spot has no hut

to rest(player)
  if player's points > 9: nobody wins

in action build_hut
  add needs calm: spot is calm for you   "it is loud here"
  at the end: rest(you)

words de
  calm           = "{player} hat Ruhe auf {spot}"
  rest           = "{player} ruht sich aus"
  spot           = "Ecke", "Ecken"
  build_hut.calm = "hier ist es laut"
"""


def test_words_with_gaps_are_sentences() -> None:
    rules = over(FIRST, WORDS)
    parts = {
        part.place: part for _, _, part in printed(rules, "de").numbered_sections()
    }
    lines = line_texts(parts["action.build_hut"])

    assert "Nur wenn gilt: du hast Ruhe auf Ecke – „hier ist es laut“." in lines
    assert "Du ruht sich aus." in lines
    assert (
        line_texts(parts["define.calm(spot,player)"])[0]
        == "Der Spieler hat Ruhe auf Ecke"
    )


def test_unchanged_loop_is_not_listed_if_the_rules_now_wait_in_it() -> None:
    parts = changes(
        "to dig(player)\n"
        "  player gathers 1 resource in bank as nuggets\n"
        "  move nuggets from bank to player's hand\n\n"
        "rule lucky\n  whenever any hex where hex's number = 77: dig(you)\n",
        "classic",
    )

    assert [unstyled(part.title) for part in parts] == ["New: “Dig”", "New: “Lucky”"]


def test_definition_does_not_take_the_words_of_a_step() -> None:
    text = (
        "define corner's island: set of hex\n"
        "  reach from corner's hexes over hex where hex is fertile\n\n"
        "in to rob\n  at the end:\n"
        "    if some corner where corner's island is empty: stop\n"
    )
    english = [text_of(part) for part in changes(text, "classic")]
    german = [text_of(part) for part in changes(text, "classic", "de")]

    assert any("New: “The intersection's island”" in part for part in english)
    assert any("Neu: „Island von Kreuzung“" in part for part in german)
