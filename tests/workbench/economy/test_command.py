"""The command: its output, its map, and rejected arguments."""

import json
import re
from pathlib import Path
from statistics import fmean, stdev
from xml.etree import ElementTree as ET

import pytest

from tests.support.commands import Output, document_of, output_of
from workbench.analysis.economy import Economy, economy_document, income_map
from workbench.analysis.economy.examination import IncomeReport
from workbench.analysis.economy.heat_map import SCALE_COLOURS, colour_of
from workbench.cli import main
from workbench.cli.analysis.economy.board_text import BoardText
from workbench.cli.analysis.economy.formatting import fitting_columns, split_labels
from workbench.errors import RequestError
from workbench.presentation.localization.localizer import Localizer

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = Path(__file__).parents[3] / "examples"
FOUR = str(EXAMPLES / "tiny" / "connect_four.rules")


def circles(picture: str) -> dict[str, tuple[str, str]]:
    """Return the colour and the number of each disc, by title of its space."""
    discs = {}
    for group in ET.fromstring(picture).iter(f"{SVG}g"):  # noqa: S314  (our own text)
        title, circle = group.find(f"{SVG}title"), group.find(f"{SVG}circle")
        text = group.find(f"{SVG}text")
        if title is not None and circle is not None and text is not None:
            space = (title.text or "").partition(":")[0]
            discs[space] = (circle.attrib["fill"], text.text or "")
    return discs


def test_the_map_has_a_disc_with_its_number_for_each_space(
    economy: Economy, income_report: IncomeReport
) -> None:
    discs = circles(income_map(economy, "hut"))

    spaces = income_report.spaces["hut"]
    assert {space for space in discs if space in spaces} == set(spaces)
    assert discs["C7"] == (SCALE_COLOURS[-1], "2")
    assert discs["C1"] == (colour_of(0.5), "1")


def test_map_shows_the_requested_piece(economy: Economy) -> None:
    assert circles(income_map(economy, "barn"))["C7"] == (SCALE_COLOURS[-1], "4")
    assert income_map(economy, None) == income_map(economy, "hut")
    with pytest.raises(RequestError, match="no fence yields income in orchard"):
        income_map(economy, "fence")


def test_colours_run_from_sand_to_teal() -> None:
    assert [colour_of(n / 5) for n in range(6)] == list(SCALE_COLOURS)
    assert colour_of(0.1) not in SCALE_COLOURS


def test_text_agrees_with_the_document(economy: Economy, capsys: Output) -> None:
    BoardText(economy, Localizer.for_book(economy.book, None), show_all=False).write()
    printed = capsys.readouterr().out
    rows = [line.split() for line in printed.splitlines()]

    assert "Average number of cards in 4 turns, whoever is to move." in printed
    assert "hut: 10 of its 10 possible spaces yield income" in printed
    assert ["C7", "2", "1", "1"] in rows
    assert ["all", "10", "12", "6", "6"] in rows
    assert "crow blocks 0.0 % on its starting space, 33.3 % of all cards" in printed
    assert "50.0 % on the worst" in printed.replace("\n", " ")
    assert "change  2 of a kind for 1 apple or pear" in printed
    assert "build hut     1 apple, 1 pear" in printed
    assert "build_palace  it costs 21 apple, but the game has only 20" in printed
    (wait, *_) = economy_document(economy)["income"]["setups"]["listed"][0]["waits"]
    both = f"{wait['turns']:.1f} ({wait['without_exchanges']:.1f})"
    waits = printed.partition("Turns until affordable")[2]
    line = next(line for line in waits.splitlines() if "build hut" in line)
    assert both in line
    assert max(map(len, printed.splitlines())) <= 80


def test_labels_and_columns_fit_the_width() -> None:
    assert split_labels(["position A", "position B"]) == ("position ", ["A", "B"])
    assert split_labels(["best", "poorest"]) == ("", ["best", "poorest"])
    assert split_labels(["the same", "the same"]) == ("the ", ["same", "same"])
    assert split_labels(["alone"]) == ("", ["alone"])
    assert list(fitting_columns([4, 4, 4], 8)) == [(0, 2), (2, 3)]
    assert list(fitting_columns([9, 9], 8)) == [(0, 1), (1, 2)]


def test_all_spaces_are_listed_on_request(tmp_path: Path, capsys: Output) -> None:
    words = ["economy", str(EXAMPLES / "first" / "first.rules"), "--setups", "1"]

    main(words)
    few = capsys.readouterr().out
    main([*words, "--all"])
    every = capsys.readouterr().out

    assert "… and 1 more, down to 1 (--all lists them)" in few
    assert "more, down to" not in every
    assert "C13" not in few.partition("Set-ups")[0]
    assert "C13" in every.partition("Set-ups")[0]


def test_reports_that_turns_yield_no_income(tmp_path: Path, capsys: Output) -> None:
    printed = output_of(capsys, "economy", FOUR)
    assert "No turn yields income automatically" in printed
    assert "Nothing has a cost." in printed

    out = tmp_path / "map.svg"
    assert main(["economy", FOUR, "--out", str(out)]) == 1
    assert "yields income to draw" in capsys.readouterr().err
    assert not out.exists()


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a game whose set-up deals the board."""
    text = (EXAMPLES / "first" / "first.rules").read_text(encoding="utf-8")
    undealt = re.sub(r"\| +[123]\n", "| -\n", text[: text.index("scenario")])
    path = tmp_path_factory.mktemp("dealt") / "dealt.rules"
    path.write_text(
        undealt.replace(
            "setup\n",
            "cards token (tokens)\n  token | copies | number\n  dry   | 2 | 9\n"
            "  full  | 1 | 1\n\nsetup\n"
            "  step marshes: chance spreads token over marsh as number\n",
        ),
        encoding="utf-8",
    )
    return str(path)


def test_dealt_board_is_reported_and_can_be_given(
    dealt: str, tmp_path: Path, capsys: Output
) -> None:
    words = ["economy", dealt, "--setups", "1"]

    assert "Board dealt with seed 2." in output_of(capsys, *words, "--seed", "2")
    each = [document_of(capsys, *words, "--seed", str(seed)) for seed in range(3)]
    boards = {json.dumps(it["board"]) for it in each}
    assert len(boards) > 1
    for it in each:
        assert sum(row["cards"] for row in it["income"]["spaces"]) == pytest.approx(2)
    given = tmp_path / "board.json"
    board = min(boards)
    given.write_text(board, encoding="utf-8")
    again = document_of(capsys, *words, "--board", str(given))
    assert json.dumps(again["board"]) == board


def test_boards_report_means_with_intervals(dealt: str, capsys: Output) -> None:
    words = ["economy", dealt, "--setups", "2"]
    each = [document_of(capsys, *words, "--seed", str(seed)) for seed in (3, 4, 5)]

    over = document_of(capsys, *words, "--seed", "3", "--boards", "3")

    assert (over["income"], over["board"]) == (None, None)
    boards = over["boards"]
    (hut,) = boards["pieces"]
    for space, spread in hut["spaces"].items():
        values = [
            sum(
                it["cards"] for it in of_one["income"]["spaces"] if it["space"] == space
            )
            for of_one in each
        ]
        assert spread["mean"] == pytest.approx(fmean(values))
        half = 4.302653 * stdev(values) / 3**0.5  # Student's t
        assert spread["half"] == pytest.approx(half, abs=1e-5)
        assert (spread["least"], spread["most"]) == (min(values), max(values))
    best = [it["income"]["setups"]["listed"][0] for it in each]
    income = [sum(it["income"].values()) for it in best]
    assert boards["setups"]["best"]["mean"] == pytest.approx(fmean(income))
    (wait,) = (it for it in boards["waits"] if it["label"] == "best")
    assert wait["turns"]["mean"] == pytest.approx(
        fmean(it["waits"][0]["turns"] for it in best), abs=1e-5
    )

    printed = output_of(capsys, *words, "--boards", "2")
    assert "Mean of 2 boards, dealt with seeds 1 to 2" in printed
    assert "the richest space of a board" in printed
    assert main(["economy", FOUR, "--boards", "2"]) == 1
    assert "always has the same board" in capsys.readouterr().err
