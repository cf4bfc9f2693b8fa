"""The command: what it prints, the map that it draws, and what it refuses."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from workbench.cli import main
from workbench.economy import Economy, document, drawn
from workbench.economy.analysis import Fed
from workbench.economy.heat import STOPS, colour_of
from workbench.errors import Refused

Output = pytest.CaptureFixture[str]
SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = Path(__file__).parents[3] / "examples"
FOUR = str(EXAMPLES / "tiny" / "connect_four.rules")


def circles(picture: str) -> dict[str, tuple[str, str]]:
    """The colour and the number of each disc, by the title of its space."""
    discs = {}
    for group in ET.fromstring(picture).iter(f"{SVG}g"):  # noqa: S314  (our own text)
        title, circle = group.find(f"{SVG}title"), group.find(f"{SVG}circle")
        text = group.find(f"{SVG}text")
        if title is not None and circle is not None and text is not None:
            space = (title.text or "").partition(":")[0]
            discs[space] = (circle.attrib["fill"], text.text or "")
    return discs


def test_the_map_has_a_disc_with_its_number_for_each_space(
    economy: Economy, fed: Fed
) -> None:
    discs = circles(drawn(economy, "hut"))

    spaces = fed.spaces["hut"]
    assert {space for space in discs if space in spaces} == set(spaces)
    assert discs["C7"] == (STOPS[-1], "2")
    assert discs["C1"] == (colour_of(0.5), "1")


def test_the_map_shows_the_piece_that_is_asked_for(economy: Economy) -> None:
    assert circles(drawn(economy, "barn"))["C7"] == (STOPS[-1], "4")
    assert drawn(economy, None) == drawn(economy, "hut")
    with pytest.raises(Refused, match="no fence brings anything in orchard"):
        drawn(economy, "fence")


def test_colours_run_from_sand_to_teal() -> None:
    assert [colour_of(n / 5) for n in range(6)] == list(STOPS)
    assert colour_of(0.1) not in STOPS


def test_what_people_read_says_the_same_as_the_document(
    orchard_path: str, economy: Economy, capsys: Output
) -> None:
    assert main(["economy", orchard_path, "--setups", "20"]) == 0
    printed = capsys.readouterr().out

    assert "Cards in 4 turns, on average, whoever's turn it is." in printed
    assert "hut: 10 of the 10 spaces on which it may stand bring something" in printed
    assert "C7         2      1     1" in printed
    assert "crow stops 0.0 % where it begins, 33.3 % of all cards" in printed
    assert "50.0 % at the worst" in printed
    assert "build_palace  it costs 21 apple, and there are 20" in printed
    (wait, *_) = document(economy)["income"]["setups"]["listed"][0]["waits"]
    both = f"{wait['turns']:.1f} ({wait['without_exchanges']:.1f})"
    line = next(line for line in printed.splitlines() if "build hut" in line)
    assert both in line


def test_all_spaces_are_listed_where_they_are_asked_for(
    tmp_path: Path, capsys: Output
) -> None:
    words = ["economy", str(EXAMPLES / "first" / "first.rules"), "--setups", "1"]

    main(words)
    few = capsys.readouterr().out
    main([*words, "--all"])
    every = capsys.readouterr().out

    assert "… and 1 more, down to 1 (--all lists them)" in few
    assert "more, down to" not in every
    assert "C13" not in few.partition("Set-ups")[0]
    assert "C13" in every.partition("Set-ups")[0]


def test_where_nothing_comes_by_itself_it_says_so(
    tmp_path: Path, capsys: Output
) -> None:
    assert main(["economy", FOUR]) == 0
    printed = capsys.readouterr().out
    assert "No turn brings anything by itself" in printed
    assert "Nothing has a price." in printed

    out = tmp_path / "map.svg"
    assert main(["economy", FOUR, "--out", str(out)]) == 1
    assert "there is no map" in capsys.readouterr().err
    assert not out.exists()


def test_a_board_that_is_dealt_is_named_and_can_be_given(
    tmp_path: Path, capsys: Output
) -> None:
    text = (EXAMPLES / "first" / "first.rules").read_text(encoding="utf-8")
    undealt = re.sub(r"\| +[123]\n", "| -\n", text[: text.index("scenario")])
    dealt = undealt.replace(
        "setup\n",
        "cards token (tokens)\n  token | copies | number\n  dry   | 2 | 9\n"
        "  full  | 1 | 1\n\nsetup\n"
        "  step marshes: chance spreads token over marsh as number\n",
    )
    path = tmp_path / "dealt.rules"
    path.write_text(dealt, encoding="utf-8")
    words = ["economy", str(path), "--setups", "2"]

    assert main([*words, "--seed", "2"]) == 0
    assert "Of the board that is dealt with the seed 2." in capsys.readouterr().out
    boards = set()
    for seed in range(6):
        main([*words, "--json", "--seed", str(seed)])
        told = json.loads(capsys.readouterr().out)
        boards.add(json.dumps(told["board"]))
        assert sum(it["cards"] for it in told["income"]["spaces"]) == pytest.approx(2)
    assert len(boards) > 1
    given = tmp_path / "board.json"
    board = min(boards)
    given.write_text(board, encoding="utf-8")
    main([*words, "--json", "--board", str(given)])
    assert json.dumps(json.loads(capsys.readouterr().out)["board"]) == board
