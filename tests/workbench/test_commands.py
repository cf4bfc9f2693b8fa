"""Commands: exit codes, output streams and keys of JSON documents."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import variants
from interpreter import Game
from rulebook import CODES, Rulebook
from tests.support.commands import Output, errors_of, output_of
from workbench.cli import main
from workbench.cli.rules.variants import players_and_title
from workbench.presentation.console.progress_bar import rate_text


@pytest.fixture
def tiny_file(tiny_path: Path) -> str:
    return str(tiny_path)


@pytest.fixture
def record(tiny_file: str, tmp_path: Path) -> str:
    path = tmp_path / "game.jsonl"
    words = ["play", tiny_file, "--seat", "all=random"]
    seeds = ["--seed", "1", "--bot-seed", "1"]
    assert main([*words, *seeds, "--record", str(path)]) == 0
    return str(path)


def document(capsys: Output, *arguments: str, status: int = 0) -> Any:
    """Return the JSON document of a command, which must write nothing else."""
    capsys.readouterr()
    assert main([*arguments, "--json"]) == status
    written = capsys.readouterr()
    assert written.err == ""
    return json.loads(written.out)


def refusal(capsys: Output, *arguments: str, status: int = 2) -> str:
    """Return what a rejecting command writes to standard error."""
    capsys.readouterr()
    assert main(arguments) == status
    written = capsys.readouterr()
    assert written.out == ""
    assert "Traceback" not in written.err
    return written.err


# ---------------------------------------------------------------- variants, check


@pytest.mark.parametrize(
    ("players", "language", "said"),
    [
        ((1, 1), "en", "1 player"),
        ((2, 2), "en", "2 players"),
        ((2, 4), "en", "2-4 players"),
        ((2, 2), "de", "2 Personen"),
        ((3, 4), "de", "3 bis 4 Personen"),
    ],
)
def test_number_of_players_is_given_in_words(
    players: tuple[int, int], language: str, said: str
) -> None:
    row = {"title": "Patience", "over": [], "players": list(players)}

    assert players_and_title(row, language) == (said, "Patience")


def test_variants_lists_the_shipped_games(capsys: Output) -> None:
    rows = document(capsys, "variants")

    assert [row["name"] for row in rows] == list(variants.names())
    assert all(
        list(row) == ["name", "title", "players", "source", "path", "over"]
        for row in rows
    )
    assert main(["variants"]) == 0
    assert all(row["title"] in capsys.readouterr().out for row in rows[:1])


def test_check_prints_nothing_for_a_valid_file(capsys: Output, tiny_file: str) -> None:
    assert document(capsys, "check", tiny_file) == []


def test_check_marks_the_error(capsys: Output, tiny_path: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.rules"
    bad.write_text(tiny_path.read_text().replace("bag of pebble", "bag of peble", 1))

    (diagnostic,) = document(capsys, "check", str(bad), status=1)

    assert list(diagnostic) == [
        *("code", "severity", "message", "file"),
        *("line", "column", "end_line", "end_column", "help", "edit"),
    ]
    line = bad.read_text().splitlines()[diagnostic["line"] - 1]
    assert line[diagnostic["column"] - 1 : diagnostic["end_column"] - 1] == "peble"
    assert "pebble" in diagnostic["help"]
    assert "^^^^^" in output_of(capsys, "check", str(bad), status=1)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"\x00" * 100, b"(" * 5000, b"rules language 99\n"],
)
def test_check_survives_any_file(
    content: bytes, capsys: Output, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.rules"
    bad.write_bytes(content)

    assert document(capsys, "check", str(bad), status=1)


# ---------------------------------------------------------------- explain


def test_explain_prints_the_page_of_a_code(capsys: Output) -> None:
    shown = output_of(capsys, "explain", "rb012")

    assert shown.startswith("RB012: Unknown clause\n")
    assert "```" not in shown
    assert "    error RB012" in shown


def test_explain_has_a_page_for_every_code(capsys: Output) -> None:
    for code, title in CODES.items():
        page = document(capsys, "explain", code)

        assert (page["code"], page["title"]) == (code, title)
        assert page["text"].startswith(f"# {code}: {title}\n")


@pytest.mark.parametrize(
    ("code", "said"),
    [("RB01", "did you mean RB001?"), ("help", "codes range from RB001 to")],
)
def test_explain_suggests_the_nearest_code(
    code: str, said: str, capsys: Output
) -> None:
    assert said in refusal(capsys, "explain", code)


# ---------------------------------------------------------------- wrong usage


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "no_such_game"],
        ["check", "no/such/file.rules"],
        ["check"],
        ["fly"],
        [],
        ["simulate", "TINY", "--players", "9"],
        ["simulate", "TINY", "--option", "nonsense=1"],
        ["simulate", "TINY", "--option", "goal=100"],
        ["simulate", "TINY", "--option", "goal=yes"],
        ["simulate", "TINY", "--option", "goal"],
        ["simulate", "TINY", "--bots", "clever"],
        ["simulate", "TINY", "--bots", "random,random"],
        ["simulate", "TINY", "--games", "-1"],
        ["simulate", "TINY", "--engine", "turbo"],
        ["simulate", "TINY", "--board", "no_such_board.json"],
        ["play", "TINY", "--seat", "nobody=random"],
        ["play", "TINY", "--seat", "north=clever"],
        ["play", "TINY", "--seat", "north"],
        ["play"],
        ["replay", "no_such_record"],
        ["perft", "TINY", "--depth", "-1"],
        ["perft", "TINY"],
        ["show", "TINY", "no_such_clause"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_rejected_with_a_sentence(
    arguments: list[str], capsys: Output, tiny_file: str
) -> None:
    given = [tiny_file if argument == "TINY" else argument for argument in arguments]

    assert refusal(capsys, *given)


def test_internal_error_is_never_hidden(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> tuple[str, ...]:
        raise ZeroDivisionError

    monkeypatch.setattr("variants.names", broken)

    assert "ZeroDivisionError" in errors_of(capsys, "variants", status=70)


def test_exits_with_130_after_ctrl_c(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> tuple[str, ...]:
        raise KeyboardInterrupt

    monkeypatch.setattr("variants.names", interrupted)

    assert "Traceback" not in errors_of(capsys, "variants", status=130)


def test_version(capsys: Output) -> None:
    assert output_of(capsys, "--version").startswith("rulebook ")


# ---------------------------------------------------------------- options, show, perft


def test_options(capsys: Output, tiny_file: str) -> None:
    rows = document(capsys, "options", tiny_file)

    assert [(row["name"], row["range"], row["default"]) for row in rows] == [
        ("goal", [1, 9], 3),
        ("quick", None, False),
    ]
    assert all({"type", "help", "source"} <= set(row) for row in rows)
    assert "quick (yes/no): no" in output_of(capsys, "options", tiny_file)


def test_show_prints_the_location_of_a_clause(capsys: Output, tiny_file: str) -> None:
    out = output_of(capsys, "show", tiny_file, "cash_in")
    assert "it takes two of a colour" in out
    assert "tiny.rules:" in out
    assert main(["show", tiny_file]) == 0


def test_perft_counts_chance_outcomes_unless_there_is_a_seed(
    capsys: Output, tiny_file: str
) -> None:
    every = document(capsys, "perft", tiny_file, "--depth", "2")
    drawn = document(capsys, "perft", tiny_file, "--depth", "2", "--seed", "1")

    assert [row["leaves"] for row in every] == [6, 2 + 4 * 2]
    assert [list(row) for row in drawn] == [
        ["depth", "leaves", "seconds", "engine"]
    ] * 2
    assert drawn[0]["leaves"] < every[0]["leaves"]


def test_perft_counts_whole_turns(capsys: Output) -> None:
    dare = "examples/tiny/dare.rules"
    plies = document(capsys, "perft", dare, "--depth", "5")
    turns = document(capsys, "perft", dare, "--depth", "2", "--plies", "turns")

    assert [row["leaves"] for row in plies][:2] == [3, 3 * 2]
    # Leaves: a die with three sides, then dare or lay aside one of up to three cards.
    assert [row["leaves"] for row in turns] == [3 * 2 * 3, 6 * (6 * 3 + 6 * 2 + 6 * 2)]


# ---------------------------------------------------------------- simulate


def test_simulate_reports(capsys: Output, tiny_file: str) -> None:
    report = document(capsys, "simulate", tiny_file, "--games", "5", "--players", "2")

    assert list(report) == [
        *("variant", "digest", "players", "games", "seed", "bot_seed", "engine"),
        *("finished", "unfinished", "wins", "draws", "turns", "decisions"),
        *("actions", "seconds", "games_per_second", "decisions_per_second"),
        *("stopped", "until", "gains", "bot_errors"),
    ]
    assert (report["variant"], report["players"], report["games"]) == ("tiny", 2, 5)
    assert (report["finished"], sum(report["wins"].values())) == (5, 5)
    assert list(report["wins"]) == ["north", "south"]
    assert main(["simulate", tiny_file, "--games", "2"]) == 0
    assert "decisions a second" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("number", "shown"),
    [(1234567.8, "1,234,568"), (999.5, "1,000"), (10, "10"), (9.87, "9.9"), (0, "0")],
)
def test_rates_are_readable(number: float, shown: str) -> None:
    assert rate_text(number) == shown


def test_unfinished_games_are_not_a_failure(capsys: Output, tiny_file: str) -> None:
    few = document(capsys, "simulate", tiny_file, "--games", "3", "--max-turns", "1")
    fewer = document(
        capsys, "simulate", tiny_file, "--games", "3", "--max-decisions", "2"
    )

    assert few["unfinished"] == fewer["unfinished"] == 3
    assert fewer["decisions"]["mean"] == 2


ENDLESS = """rules language 1
rulebook endless "Turns in which nobody is asked"
  players 2 to 2
  turns 1000000
game has
  count: 0 to 9, seen by all
{begin}
action look
  set count to 1
action late
  needs late: count > 1  "too early"
  set count to 2
turn
  phase day
    you do late
invariant "the count is small"
  require count < 5
"""


@pytest.mark.parametrize("begin", ["", "setup\n  you do look"])
def test_turns_without_decisions_are_counted(
    capsys: Output, tmp_path: Path, begin: str
) -> None:
    path = tmp_path / "endless.rules"
    path.write_text(ENDLESS.format(begin=begin))

    report = document(capsys, "simulate", str(path), "--games", "2", "--max-turns", "7")

    assert (report["unfinished"], report["turns"]["mean"]) == (2, 7)
    tested = document(capsys, "test", str(path))
    assert [scenario["status"] for scenario in tested["items"]] == ["passed"]
    assert document(capsys, "options", str(path)) == []


def test_limit_of_turns_is_pickled_with_a_game(tiny: Rulebook) -> None:
    game = Game.start(tiny, players=2, seed=1, turns=2)
    same = pickle.loads(pickle.dumps(game))  # noqa: S301  (dumped here)
    for world in (game.copy(), same, game.sample("north", 1), game):
        while world.to_act is not None:
            legal = world.legal_actions()
            world.apply(legal[-1])

        assert (world.turn, world.over, world.outcome) == (2, True, None)


def test_results_do_not_depend_on_the_number_of_processes(
    capsys: Output, tiny_file: str, tmp_path: Path
) -> None:
    outs = []
    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.jsonl"
        records = tmp_path / jobs
        document(
            capsys,
            *("simulate", tiny_file, "--games", "9", "--seed", "4", "--jobs", jobs),
            *("--out", str(out), "--records", str(records)),
        )
        names = sorted(path.name for path in records.iterdir())
        outs.append((out.read_text(), [(records / n).read_text() for n in names]))

    assert outs[0] == outs[1]
    assert len(outs[0][0].splitlines()) == len(outs[0][1]) == 9


def test_simulate_and_play_are_the_same_game(
    capsys: Output, tiny_file: str, tmp_path: Path
) -> None:
    record = tmp_path / "played.jsonl"
    bots = "random,greedy,random"
    document(
        capsys,
        *("simulate", tiny_file, "--games", "3", "--seed", "5", "--bots", bots),
        *("--records", str(tmp_path)),
    )
    seats = ["--seat", "all=random", "--seat", "south=greedy"]
    same = ["--seed", "7", "--bot-seed", "1", "--game", "2"]
    assert main(["play", tiny_file, *same, *seats, "--record", str(record)]) == 0

    assert record.read_text() == (tmp_path / "7.jsonl").read_text()


# ---------------------------------------------------------------- replay, why


def test_replay_reproduces_the_recorded_game(capsys: Output, record: str) -> None:
    replay = document(capsys, "replay", record)

    assert list(replay) == ["ok", "steps", "position", "end", "diverged", "notes"]
    assert replay["notes"] == []
    assert replay["ok"]
    assert replay["steps"] == len(Path(record).read_text().splitlines()) - 2
    assert replay["end"]["winners"]
    assert main(["replay", record]) == 0


def test_replay_at_a_step_stops_there(capsys: Output, record: str) -> None:
    replay = document(capsys, "replay", record, "--at", "3")

    assert (replay["steps"], replay["end"]) == (3, None)
    assert "not in the range" in refusal(capsys, "replay", record, "--at", "100000")


def test_replay_reports_that_an_interrupted_game_is_not_finished(
    capsys: Output, record: str
) -> None:
    path = Path(record)
    lines = path.read_text().splitlines(keepends=True)
    whole = output_of(capsys, "replay", record)
    assert "not finished" not in whole and " wins (" in whole
    assert "The game is not finished at this step." in (
        output_of(capsys, "replay", record, "--at", "9")
    )

    path.write_text("".join(lines[:10]))

    for options in ([], ["--seat", "north"]):
        out = output_of(capsys, "replay", record, *options)
        assert out.endswith("The record ends here; the game is not finished.\n")
        assert "limit" not in out


def test_replay_stops_at_the_first_difference(capsys: Output, record: str) -> None:
    path = Path(record)
    lines = path.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if n > 5 and '"action"' in line)
    event = json.loads(lines[at])
    lines[at] = json.dumps({**event, "action": "cash_in(white, black)"})
    path.write_text("\n".join(lines) + "\n")

    replay = document(capsys, "replay", record, status=1)

    assert not replay["ok"]
    assert replay["diverged"]["step"] == replay["steps"] == at - 1
    assert list(replay["diverged"]) == ["line", "step", "clause", "expected", "got"]
    assert replay["diverged"]["line"] == at + 1
    assert main(["replay", record]) == 1


@pytest.mark.parametrize(
    "content", ["", "{}\n", "[1]\n", "nonsense\n", '{"variant": 3}\n']
)
def test_rejects_an_invalid_record(
    content: str, capsys: Output, tmp_path: Path
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(content)

    assert refusal(capsys, "replay", str(path), status=1)


def test_why_names_the_requirement(capsys: Output, record: str) -> None:
    for step in range(12):
        explanation = document(
            capsys,
            "why",
            record,
            "cash_in(white)",
            "--at",
            str(step),
            "--seat",
            "north",
        )
        assert list(explanation) == [
            *("legal", "seat", "action", "clause", "requirement", "reason"),
            *("values", "citation", "file", "line", "column", "fix", "lines"),
        ]
        if explanation["requirement"] == "pair":
            break
    assert explanation["reason"] == "it takes two of a colour"
    assert explanation["citation"] == {"source": "made", "section": "Cashing in"}
    assert explanation["file"].endswith("tiny.rules")
    assert main(["why", record, "cash_in(white)", "--at", str(step)]) == 0
    assert "it takes two of a colour" in capsys.readouterr().out


def test_step_is_the_position_after_that_number_of_events(
    capsys: Output, record: str, tmp_path: Path
) -> None:
    lines = Path(record).read_text(encoding="utf-8").splitlines()[1:-1]
    out = str(tmp_path / "step.svg")

    assert any('"chance"' in line for line in lines[:20])
    for step in range(20):
        replay = document(capsys, "replay", record, "--at", str(step), "--list")
        assert replay["steps"] == len(replay["events"]) == step
        assert replay["events"] == [json.loads(line) for line in lines[:step]]
        drawn = document(
            capsys, "board", "--record", record, "--at", str(step), "--out", out
        )
        assert drawn["step"] == step


def test_list_numbers_the_events(capsys: Output, record: str) -> None:
    lines = Path(record).read_text(encoding="utf-8").splitlines()[1:-1]
    shown = output_of(capsys, "replay", record, "--list").splitlines()
    for number, (line, said) in enumerate(zip(lines, shown, strict=False), 1):
        event = json.loads(line)
        assert said.split()[0] == str(number)
        assert event.get("action", event.get("chance")) in said


def test_why_explains_how_to_ask_about_an_earlier_position(
    capsys: Output, record: str
) -> None:
    main(["why", record, "done"])
    assert "--list` numbers the events" in capsys.readouterr().out

    main(["why", record, "done", "--at", "3"])
    assert "--list" not in capsys.readouterr().out


def test_a_record_of_another_game_says_so(capsys: Output, record: str) -> None:
    said = "this record is of tiny, not of classic: "
    assert said in refusal(capsys, "play", "classic", "--resume", record, status=1)
    assert said in refusal(capsys, "replay", record, "--rules", "classic", status=1)
    assert said in refusal(
        capsys, "board", "classic", "--record", record, "--out", "x.svg", status=1
    )
