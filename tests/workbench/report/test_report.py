"""`compare --report`: every figure of the page is recomputed from its tables."""

import os
import re
import sys
from pathlib import Path
from shlex import split

import polars as pl
import pytest

from tests.support.commands import Output, errors_of
from tests.workbench.report.checked import wrong
from tests.workbench.report.recomputed import Page, Tables
from workbench import load
from workbench.analysis.report import report_tables
from workbench.analysis.report.charts import pairs_bar, with_text_alternative
from workbench.analysis.report.measure_words import MeasureNames
from workbench.analysis.report.report_tables import NAMES
from workbench.cli import main
from workbench.presentation.localization.localizer import Localizer

ROOT = Path(__file__).parents[3]
FIRST = ROOT / "examples" / "first" / "first.rules"
GIVEN = ["--bots", "random", "--players", "2", "--engine", "reference", "--jobs", "1"]
ABROAD = re.compile(r"https?://(?!www\.w3\.org/)|url\(|@import|<script|<link|<img")


def house(folder: Path, name: str, hut: str) -> str:
    """Return the game with another price."""
    text = FIRST.read_text(encoding="utf-8").partition("\nscenario")[0]
    text = text.replace("rulebook first", f"rulebook {name}")
    path = folder / f"{name}.rules"
    path.write_text(text.replace("cost hut: 2 reed", f"cost hut: {hut}") + "\n")
    return str(path)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a page on three variants with enough pairs for the bootstrap, and one with
    few.
    """
    folder = tmp_path_factory.mktemp("reports")
    dear, cheap = house(folder, "dear", "3 reed"), house(folder, "cheap", "1 reed")
    made = {"three": folder / "three.html", "few": folder / "few.html"}
    three = [str(FIRST), dear, cheap, "--games", "330", "--report", str(made["three"])]
    few = [str(FIRST), dear, "--games", "60", "--seed", "7", "--report"]
    assert main(["compare", *three, *GIVEN]) == 0
    assert main(["compare", *few, str(made["few"]), *GIVEN]) == 0
    return made


@pytest.fixture(scope="module", params=["three", "few"])
def report(request: pytest.FixtureRequest, reports: dict[str, Path]) -> Path:
    return reports[request.param]


def read(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def test_every_figure_equals_its_recomputed_value(report: Path) -> None:
    page = read(report)

    assert len(page.figures) > 300
    assert wrong(page, Tables(report)) == []


def test_every_picture_has_a_text_alternative(report: Path) -> None:
    pictures = re.findall(r"<svg [^>]*>\s*(?:<title>)?", report.read_text("utf-8"))
    assert pictures
    for start in pictures:
        assert re.search('aria-label="|aria-hidden="|<title>', start), start


def test_every_number_is_marked(report: Path) -> None:
    assert read(report).unmarked == []


def test_page_has_all_expected_figures(report: Path) -> None:
    told = {figure.key.partition("/")[2] for figure in read(report).figures}

    for wanted in (
        *("turns/between", "turns/interval", "turns/strip", "turns/pairs"),
        *("turns/A/dot:99", "wins_from.2/A/bar", "race/A/first/band"),
        *("first_piece.hut/A/note", "actions.build_hut/rate", "all/factor"),
        *("income/C1", "used.C1/share", "digest"),
    ):
        assert wanted in told, wanted


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (r'(/turns/difference">[+−]\d+\.)\d', r"\g<1>7"),
        (r'(/all/looked_at">)\d+', r"\g<1>3"),
        (r'(/strip"[^>]*>.*?<circle cx=")[\d.]+', r"\g<1>66.0"),
        (r'(data-figure="B/turns/A/dot:50" data-value=")[\d.]+', r"\g<1>1.0"),
        (r'(/first/line" data-value=")[\d.]+', r"\g<1>9.0"),
        (r'(data-figure="A/used\.C1/share">.*?<text[^>]*>)\d+', r"\g<1>3"),
        (r'(data-figure="A/income/C1">.*?<text[^>]*>)\d+', r"\g<1>9"),
        (r"data-figure=\"B/turns/first\"", 'data-figure="B/turns/second"'),
    ],
)
def test_wrong_figure_is_detected(
    reports: dict[str, Path], before: str, after: str
) -> None:
    path = reports["few"]
    html, times = re.subn(
        before, after, path.read_text(encoding="utf-8"), count=1, flags=re.DOTALL
    )

    assert times == 1
    assert wrong(Page(html), Tables(path)) != []


def test_unmarked_number_is_detected(reports: dict[str, Path]) -> None:
    html = reports["few"].read_text(encoding="utf-8")

    assert Page(html.replace("</h2>", " 12</h2>", 1)).unmarked == [
        "The short answer 12"
    ]


def test_page_is_self_contained(report: Path) -> None:
    html = report.read_text(encoding="utf-8")

    assert ABROAD.findall(html) == []
    assert "default-src 'none'" in html


def test_each_variant_has_a_comparison_with_the_first(reports: dict[str, Path]) -> None:
    html = reports["three"].read_text(encoding="utf-8")
    heads = re.findall(r'<h1 class="part">(.*?)</h1>', html)

    assert [re.sub("<.*?>", "", head) for head in heads] == [
        "B, dear against A, first",
        "C, cheap against A, first",
    ]
    assert '<h1 class="part">' not in reports["few"].read_text(encoding="utf-8")


def test_command_on_the_page_reproduces_the_report(
    reports: dict[str, Path], tmp_path: Path
) -> None:
    words = split(read(reports["few"]).command)
    again = tmp_path / "again.html"
    words[words.index("--report") + 1] = str(again)

    assert words[:2] == ["rulebook", "compare"]
    assert main([*words[1:], "--engine", "reference"]) == 0
    games = [Tables(path).of["games"] for path in (reports["few"], again)]
    assert games[0].equals(games[1])


def test_the_tables_have_the_games_that_were_played(reports: dict[str, Path]) -> None:
    told = Tables(reports["three"])
    games = told.of["games"]

    assert told.letters == ["A", "B", "C"]
    assert games.group_by("variant").len()["len"].to_list() == [110] * 3
    assert told.games("B")["seed"].to_list() == list(range(1, 111))
    last = told.of["rounds"].group_by("variant", "seed").agg(pl.col("round").max())
    joined = games.join(last, on=["variant", "seed"])
    assert (joined["round"] == joined["rounds"]).all()
    assert joined.height == games.height
    best = (
        told.of["rounds"]
        .sort("round")
        .group_by("variant", "seed")
        .agg(pl.col("best").last(), pl.col("last").last())
    )
    ends = games.join(best, on=["variant", "seed"])
    both = ends.select("points.red", "points.blue")
    assert (ends["best"] == both.max_horizontal()).all()
    assert (ends["last"] == both.min_horizontal()).all()
    assert told.head["variants"][1]["name"] == "dear"
    assert told.head["bots"] == {"red": "random", "blue": "random"}


def test_native_games_have_the_same_points_by_round(tmp_path: Path) -> None:
    dear = house(tmp_path, "dear", "3 reed")
    given = [str(FIRST), dear, "--games", "12", "--bots", "random", "--players", "2"]
    for engine in ("reference", "native"):
        path = str(tmp_path / f"{engine}.html")
        ask = ["--engine", engine, "--jobs", "1", "--report", path]
        assert main(["compare", *given, *ask]) == 0
    played = [Tables(tmp_path / f"{x}.html").of for x in ("reference", "native")]

    assert played[0]["rounds"].equals(played[1]["rounds"])
    assert played[0]["games"].equals(played[1]["games"])


# ---------------------------------------------------------------- rejected requests


@pytest.fixture
def nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if any game is played."""

    def played(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(
        "workbench.analysis.comparison.paired_games.play_variant", played
    )


def refused(capsys: Output, path: object, status: int = 2) -> str:
    given = ["--games", "20", "--report", str(path), *GIVEN]
    return errors_of(capsys, "compare", str(FIRST), "classic", *given, status=status)


@pytest.mark.usefixtures("nothing_is_played")
def test_unwritable_report_is_rejected_before_the_games(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "does not end in .html" in refused(capsys, tmp_path / "page.pdf")
    work = tmp_path / "work.html"
    work.write_text("<p>mine</p>")
    assert "already exists and is not a report" in refused(capsys, work)
    table = tmp_path / "page.rounds.parquet"
    table.write_text("mine")
    said = refused(capsys, tmp_path / "page.html")
    assert "page.rounds.parquet already exists and is not a table" in said
    assert "No such file" in refused(capsys, tmp_path / "no" / "page.html")
    pipe = tmp_path / "pipe.html"
    os.mkfifo(pipe)
    assert "is not a regular file" in refused(capsys, pipe)
    pipe.unlink()
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    said = refused(capsys, tmp_path / "page2.html", 1)
    assert "a report requires vl_convert, which is not installed" in said
    assert "rulebook-lang[report]" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "page.rounds.parquet",
        "work.html",
    ]


def test_report_is_written_atomically(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    dear = house(tmp_path, "dear", "3 reed")
    page = tmp_path / "page.html"
    monkeypatch.setattr(report_tables, "write_table", fails)
    given = ["--games", "20", "--report", str(page), *GIVEN]

    assert main(["compare", str(FIRST), dear, *given]) != 0
    assert [path.name for path in tmp_path.iterdir()] == ["dear.rules"]
    monkeypatch.undo()
    assert main(["compare", str(FIRST), dear, *given]) == 0
    assert main(["compare", str(FIRST), dear, *given]) == 0
    names = {f"page.{name}.parquet" for name in NAMES} | {"page.html", "dear.rules"}
    assert {path.name for path in tmp_path.iterdir()} == names


def test_a_game_without_a_board_has_a_report_too(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "tiny" / "dare.rules").read_text(encoding="utf-8")
    other = tmp_path / "other.rules"
    other.write_text(text)
    page = tmp_path / "dare.html"
    dare = str(ROOT / "examples" / "tiny" / "dare.rules")
    given = ["--games", "40", "--bots", "random", "--report", str(page)]

    assert main(["compare", dare, str(other), *given, "--jobs", "1"]) == 0
    told = read(page)
    assert told.unmarked == []
    assert wrong(told, Tables(page)) == []
    assert "No measure differs" in page.read_text(encoding="utf-8")


def test_actions_are_named_without_gaps() -> None:
    spoken = MeasureNames(Localizer.for_book(load("germany")))
    for measure in ("branching_at.build_road", "actions.build_road"):
        title, _ = spoken.column_title(measure)
        assert "build a road" in f"{title} {spoken.part_name(measure)}".lower()
        assert "{" not in f"{title} {spoken.part_name(measure)}"


def test_pictures_get_one_text_alternative() -> None:
    svg = '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>'
    described = with_text_alternative(svg, 'the "red"\n player')
    start = described.partition(">")[0]
    assert 'role="img" aria-label="the &quot;red&quot; player"' in start
    assert with_text_alternative(described, "another") == described
    titled = svg.replace("<path", "<title>map</title>\n<path")
    assert with_text_alternative(titled, "another") == titled
    bar = with_text_alternative(pairs_bar("x", 0.2, 0.3), "equal games")
    assert bar.count("role=") == bar.count("aria-label=") == 1
