"""`rulebook coverage` reports the parts of the rules that tests reach.

`coverage/lamp.json` is its output for a tiny game without generated games, which can be
checked by hand against `coverage/lamp.rules`. `python -m tests.workbench.test_coverage`
regenerates it.
"""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rulebook import load
from tests.rulebook.test_missing_texts import RULES
from tests.support.commands import Output, output_of
from tests.workbench.test_pytest_plugin import pytest_in
from workbench.analysis.simulation.settings import Settings
from workbench.cli import main
from workbench.defaults import GUIDED
from workbench.testing.rule_tests import coverage_page
from workbench.testing.rule_tests.generated_games import comparison_games
from workbench.testing.rule_tests.rule_coverage import measure_coverage

FOLDER = Path(__file__).parent / "coverage"
LAMP, GOLDEN = FOLDER / "lamp.rules", FOLDER / "lamp.json"


def document() -> dict[str, Any]:
    """Return the coverage document of the tiny game, without its path."""
    told: dict[str, Any] = measure_coverage(load(LAMP), []).to_json(1, GUIDED)
    for part in told["parts"]:
        part["file"] = Path(part["file"]).name
    return told


def test_document_of_a_tiny_game() -> None:
    assert document() == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_shares_are_those_of_the_parts() -> None:
    told = document()

    parts = told["parts"]
    truths = [part for part in parts if part["true"] is not None]
    seen = sum(any(part["reached"].values()) for part in parts if part not in truths)
    seen += sum(any(part[way].values()) for part in truths for way in ("true", "false"))
    goals = len(parts) + len(truths)
    assert sum(share["goals"] for share in told["sorts"].values()) == goals
    assert sum(share["seen"] for share in told["sorts"].values()) == seen
    assert told["percent"] == 1000 * seen // goals / 10


def test_generated_games_reach_parts_that_the_scenario_does_not() -> None:
    book = load(LAMP)
    coverage = measure_coverage(book, list(comparison_games(book, Settings(), 20)))

    by = {(part.site.sort, part.text): part.reached_by for part in coverage.parts}
    assert by["effect", "north starts"] == "games"
    assert by["effect", "lamp by 1"] == "both"
    assert by["effect", "lamp by colour's light"] == "games"
    never = [
        part.display_name for part in coverage.parts if part.reached_by == "neither"
    ]
    assert never == ["line dark", "line twice", "line", "line glow"]


@pytest.mark.parametrize(("games", "players"), [(7, {2, 3}), (4, {2, 3})])
def test_games_are_of_all_numbers_of_players_and_options_in_turn(
    games: int, players: set[int], tiny_path: Path
) -> None:
    made = list(comparison_games(load(tiny_path), Settings(), games))

    assert [game.number for game in made] == list(range(games))
    assert {game.settings.players for game in made} == players
    assert [bool(game.settings.options) for game in made] == [
        bool(number % 2) for number in range(games)
    ]


def test_all_values_of_an_option_come_in_turn(tiny_path: Path) -> None:
    made = comparison_games(load(tiny_path), Settings(), 40)

    tried = {tuple(game.settings.options.items()) for game in made}
    goals = {(("goal", goal),) for goal in range(1, 10) if goal != 3}
    assert tried == {(), (("quick", True),), *goals}


def test_unreached_parts_are_listed_with_their_places(capsys: Output) -> None:
    said = output_of(capsys, "coverage", str(LAMP), "--games", "0")
    assert f"{LAMP}:43: requirement low never false: needs low: lamp <= 9" in said
    assert f"{LAMP}:45: branch never true: if bright: " in said
    assert f"{LAMP}:27: line dark not reached: dark: 0 if lamp = 0" in said
    assert not re.search(r"able (never|not)", said)


@pytest.mark.parametrize(("least", "status"), [("44", 0), ("46", 1)])
def test_exits_with_1_if_coverage_is_too_low(
    least: str, status: int, capsys: Output
) -> None:
    given = ["coverage", str(LAMP), "--games", "0", "--fail-under", least]
    assert main(given) == status
    assert ("is below the required 46 %" in capsys.readouterr().out) == bool(status)


def test_exits_with_1_if_a_test_fails(tmp_path: Path, capsys: Output) -> None:
    text = LAMP.read_text(encoding="utf-8").replace("lamp = 1\n", "lamp = 2\n")
    text += 'invariant "dark"\n  require lamp < 2\n'
    path = tmp_path / "lamp.rules"
    path.write_text(text, encoding="utf-8")

    assert main(["coverage", str(path), "--games", "4", "--json"]) == 1
    failed = json.loads(capsys.readouterr().out)["failed"]
    assert [(item["kind"], item["name"]) for item in failed] == [
        ("scenario", "one who is rich may shine"),
        ("invariant", "dark"),
    ]


@pytest.mark.parametrize("given", [["--games", "-1"], ["--fail-under", "101"]])
def test_rejects_invalid_numbers(given: list[str]) -> None:
    assert main(["coverage", str(LAMP), *given]) == 2


class Page(HTMLParser):
    """Parser that collects a page's lines with their colours, and external requests."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, str] = {}
        self.foreign: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.foreign += [tag] * (tag in {"script", "link", "img", "iframe"})
        self.foreign += [name for name in given if name in {"src", "onclick"}]
        if tag == "li" and "id" in given:
            self.lines[str(given["id"]).rpartition(":")[2]] = str(given.get("class"))
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_over_the_text_of_the_rules(tmp_path: Path, capsys: Output) -> None:
    text = (
        LAMP.read_text(encoding="utf-8").replace("It", "<b>&it").replace("it t", "<t")
    )
    rules, out = tmp_path / "lamp.rules", tmp_path / "lamp.html"
    rules.write_text(text, encoding="utf-8")

    given = ["coverage", str(rules), "--games", "0", "--html", str(out)]
    assert main(given) == 0
    assert main(given) == 0, "its own page is written over"
    page = Page()
    written = out.read_text(encoding="utf-8")
    page.feed(written)
    assert page.open == [] and page.foreign == []
    assert "&lt;t" in written and "<takes" not in written
    colours = {
        "43": "half",
        "44": "yes",
        "45": "no",
        "50": "yes",
        "53": "no",
        "51": "None",
    }
    assert {line: page.lines[line] for line in colours} == colours
    assert len(page.lines) == len(text.splitlines())


def test_page_lists_first_what_is_not_tested(tmp_path: Path, capsys: Output) -> None:
    out = tmp_path / "lamp.html"
    assert main(["coverage", str(LAMP), "--games", "0", "--html", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    first, _, text = page.partition("<h2>Coverage</h2>")
    links = re.findall(r'<li class="(no|half)"><a href="#([^"]+)">', first)
    assert links and links == sorted(links, key=lambda it: it[0] != "no")
    assert all(f'id="{place}"' in text for _, place in links)


@pytest.mark.parametrize("scheme", [0, 1])
def test_all_texts_of_the_page_have_enough_contrast(scheme: int) -> None:
    """WCAG 2.2 asks for a ratio of 4.5 between text and background."""
    assert "opacity" not in coverage_page.STYLE
    schemes = coverage_page.STYLE.split("@media")
    colours = dict(re.findall(r"--(\w+): (#\w{6})", schemes[scheme]))
    assert colours.keys() == {"ink", "paper", "soft", "no", "half", "yes"}
    paper = luminance(colours.pop("paper"))
    for name, colour in colours.items():
        low, high = sorted((luminance(colour), paper))
        assert (high + 0.05) / (low + 0.05) >= 4.5, name


def luminance(colour: str) -> float:
    """Relative luminance of a colour, as WCAG defines it."""
    parts = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_page_does_not_replace_an_unrelated_file(tmp_path: Path) -> None:
    out = tmp_path / "mine.html"
    out.write_text("<html>my own</html>")

    assert main(["coverage", str(LAMP), "--games", "0", "--html", str(out)]) == 2
    assert out.read_text() == "<html>my own</html>"


def test_pytest_reports_the_coverage_of_its_items(tmp_path: Path) -> None:
    text = LAMP.read_text(encoding="utf-8")
    text += 'invariant "no lamp is too bright"\n  require lamp <= 20\n'
    (tmp_path / "lamp.rules").write_text(text, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nrulebook_games = 3\n")

    _, plain = pytest_in(tmp_path, "-q", "lamp.rules")
    status, said = pytest_in(tmp_path, "-q", "--rulebook-coverage", "lamp.rules")
    _, few = pytest_in(
        tmp_path, "-q", "--rulebook-coverage", "-k", "shine", "lamp.rules"
    )

    assert status == 0
    assert "reached" not in plain
    assert re.search(r"lamp.rules: \d\d\.\d % reached", said)
    assert "requirement: 3 of 3, true and false " in said
    assert "lamp.rules:35: effect not reached: north starts" in few
    assert "lamp.rules:35:" not in said


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(document(), indent=1, ensure_ascii=False) + "\n")
    sys.stdout.write(f"{GOLDEN}\n")


def test_missing_texts_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "thieves.rules"
    file.write_text(RULES, encoding="utf-8")

    said = output_of(capsys, "coverage", str(file), "--games", "0")

    assert "no questions in `en`: offered, trip.sold\n" in said
    assert "no reports in `de`: offered\n" in said
