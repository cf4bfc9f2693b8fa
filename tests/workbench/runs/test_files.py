"""Rows of games as JSON lines, CSV and Parquet, chosen by file suffix."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.support.commands import Output, errors_of
from workbench.analysis.runs.columns import (
    BOT_SEED,
    SEED,
    TEXTS,
    TRUTH,
    WHOLE,
    Column,
    TableSchema,
    nested_row,
)
from workbench.cli import main

ROOT = Path(__file__).parents[3]
GAMES = "6"


def simulate(tiny: str, out: Path, *more: str) -> int:
    words = ["simulate", tiny, "--games", GAMES, "--players", "2", "--out", str(out)]
    return main([*words, *more])


def refusal(capsys: Output, status: int, *words: str) -> str:
    return errors_of(capsys, "simulate", *words, status=status)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_line_is_what_its_schema_says(tiny_path: Path, tmp_path: Path) -> None:
    path = ROOT / "docs" / "schemas" / "rows.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    out = tmp_path / "out.jsonl"

    assert simulate(str(tiny_path), out, "--detail") == 0

    for table, name in (("game", out), ("turn", "turns"), ("event", "events")):
        own = {**schema, "oneOf": [{"$ref": f"#/$defs/{table}"}]}
        file = name if isinstance(name, Path) else tmp_path / f"out.{name}.jsonl"
        rows = lines(file)
        assert len(rows) >= int(GAMES)
        for row in rows:
            Draft202012Validator(own).validate(row)


def test_turns_and_events_add_up_to_their_game(tiny_path: Path, tmp_path: Path) -> None:
    out, records = tmp_path / "out.jsonl", tmp_path / "games"
    done = simulate(str(tiny_path), out, "--detail", "--records", str(records))

    assert done == 0
    turns, events = (lines(tmp_path / f"out.{x}.jsonl") for x in ("turns", "events"))
    for game in lines(out):
        own = [turn for turn in turns if turn["game"] == game["game"]]
        assert [turn["turn"] for turn in own] == list(range(game["turns"] + 1))
        assert sum(turn["decisions"] for turn in own) == game["decisions"]
        assert own[-1]["points"] == game["points"]
        came = [event for event in events if event["game"] == game["game"]]
        assert [event["step"] for event in came] == list(range(1, len(came) + 1))
        acted = [event for event in came if event["seat"]]
        assert len(acted) == game["decisions"]
        for name, often in game["actions"].items():
            assert sum(event["name"] == name for event in acted) == often
        for turn in own:
            here = [event for event in came if event["turn"] == turn["turn"]]
            decided = [event["seat"] for event in here if event["seat"]]
            assert len(here) == turn["decisions"] + turn["draws"]
            assert turn["seat"] == (decided[0] if decided else None)
        record = (records / f"{game['seed']}.jsonl").read_text("utf-8")
        told = [json.loads(line) for line in record.splitlines()[1:]]
        for event, line in zip(came, told, strict=False):
            if event["seat"]:
                assert (event["seat"], event["action"]) == tuple(line.values())
            else:
                assert event["name"] == line["chance"]
                assert json.loads(event["outcome"]) == line["outcome"]


def test_measures_are_columns(tiny_path: Path, tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    parquet = pytest.importorskip("pyarrow.parquet")
    out, kept = tmp_path / "out.jsonl", tmp_path / "out.parquet"
    assert simulate(str(tiny_path), out, "--measures", "--jobs", "2") == 0
    assert simulate(str(tiny_path), kept, "--measures") == 0

    rows = lines(out)
    assert all(row["measures"]["turns"] == row["turns"] for row in rows)
    assert all(row["measures"]["wins.north"] == row["wins"]["north"] for row in rows)
    names = [f"measures.{name}" for name in rows[0]["measures"]]
    told = parquet.read_table(kept)
    assert set(names) <= set(told.column_names)
    for name in names:
        values = [row["measures"][name.partition(".")[2]] for row in rows]
        assert told[name].to_pylist() == values


def test_measures_that_a_file_declares_are_columns(
    tiny_path: Path, tmp_path: Path
) -> None:
    pytest.importorskip("numpy")
    own = tmp_path / "own.rules"
    text = tiny_path.read_text("utf-8")
    own.write_text(text + "measure sevens: 7\n", encoding="utf-8")
    out = tmp_path / "out.jsonl"

    assert simulate(str(own), out, "--measures") == 0

    assert [row["measures"]["sevens"] for row in lines(out)] == [7] * int(GAMES)


def test_both_engines_give_the_same_detail(tiny_path: Path, tmp_path: Path) -> None:
    made = []
    for engine in ("reference", "native"):
        out = tmp_path / engine / "out.csv"
        out.parent.mkdir()
        if simulate(str(tiny_path), out, "--detail", "--engine", engine) == 1:
            pytest.skip("NO COMPILER OF C: one engine tells it")
        made.append({p.name: p.read_bytes() for p in out.parent.iterdir()})

    assert made[0].keys() == {"out.csv", "out.turns.csv", "out.events.csv"}
    assert made[0] == made[1]


def flat(row: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in row.items():
        inner = value if isinstance(value, dict) else {"": value}
        made |= {f"{name}.{key}" if key else name: v for key, v in inner.items()}
    return made


def test_csv_agrees_with_json_lines(tiny_path: Path, tmp_path: Path) -> None:
    assert simulate(str(tiny_path), tmp_path / "out.jsonl") == 0
    assert simulate(str(tiny_path), tmp_path / "out.csv") == 0

    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == int(GAMES)
    for row, line in zip(rows, lines(tmp_path / "out.jsonl"), strict=True):
        told = {
            name: ";".join(value)
            if isinstance(value, list)
            else json.dumps(value).strip('"').replace("null", "")
            for name, value in flat(line).items()
        }
        assert row == told


def test_parquet_agrees_with_json_lines(tiny_path: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert simulate(str(tiny_path), tmp_path / "out.jsonl", "--detail") == 0
    assert simulate(str(tiny_path), tmp_path / "out.parquet", "--detail") == 0

    for name in ("out", "out.turns", "out.events"):
        told = parquet.read_table(tmp_path / f"{name}.parquet")
        rows = [flat(line) for line in lines(tmp_path / f"{name}.jsonl")]
        for row in rows:
            if "bot_seed" in row:
                row["bot_seed"] = str(row["bot_seed"])
        assert told.to_pylist() == rows
        head = json.loads(told.schema.metadata[b"rulebook"])
        assert head["digest"].startswith("sha256:")
        assert [column["name"] for column in head["columns"]] == told.column_names
        assert all(field.metadata[b"meaning"] for field in told.schema)
        assert not told.schema.field("game").nullable


def test_large_seeds_of_bots_are_kept(tiny_path: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    seed = str(1 << 100)
    for ending in ("jsonl", "csv", "parquet"):
        out = tmp_path / f"out.{ending}"
        assert simulate(str(tiny_path), out, "--bot-seed", seed) == 0
        assert simulate(str(tiny_path), out, "--bot-seed", seed) == 0


def test_parquet_without_its_library_names_the_extra(
    tiny_path: Path, tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    out = str(tmp_path / "out.parquet")

    said = refusal(capsys, 1, str(tiny_path), "--games", "1", "--out", out)

    assert "which is not installed; pip install 'rulebook-lang[data]', or use" in said
    assert list(tmp_path.iterdir()) == []


def test_pipe_receives_rows_in_order(tiny_path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert simulate(str(tiny_path), out, "--jobs", "2") == 0
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    words = [sys.executable, "-m", "workbench", "simulate", str(tiny_path)]
    words += ["--games", GAMES, "--players", "2", "--jobs", "2", "--out", str(pipe)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL):
        assert pipe.read_bytes() == out.read_bytes()


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("out", "file types are .jsonl, .csv, .parquet"),
        ("out.json", "did you mean `.jsonl`?"),
        ("out.xlsx", "has no known file type"),
        ("no/where.csv", "No such file or directory"),
        ("folder.csv", "Is a directory"),
        ("sealed.csv", "Permission denied"),
    ],
)
def test_rejects_an_unwritable_name(
    name: str, said: str, tiny_path: Path, tmp_path: Path, capsys: Output
) -> None:
    (tmp_path / "folder.csv").mkdir()
    sealed = tmp_path / "sealed.csv"
    sealed.touch(mode=0o400)
    if name == sealed.name and os.access(sealed, os.W_OK):
        pytest.skip("nothing is forbidden to root")
    before = sorted(tmp_path.iterdir())

    out = str(tmp_path / name)
    assert said in refusal(capsys, 2, str(tiny_path), "--games", "1", "--out", out)

    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "name", ["out.jsonl", "out.csv", "out.parquet", "out.csv.part"]
)
@pytest.mark.parametrize("held", [b"somebody's work", b"PAR1 of somebody else"])
def test_unrelated_file_is_not_overwritten(
    name: str, held: bytes, tiny_path: Path, tmp_path: Path, capsys: Output
) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / name
    path.write_bytes(held)
    out = str(path).removesuffix(".part")

    said = refusal(capsys, 2, str(tiny_path), "--games", "1", "--out", out)

    assert "already exists and is not a" in said and "of `simulate`" in said
    assert path.read_bytes() == held


def test_unrelated_detail_file_is_not_overwritten(
    tiny_path: Path, tmp_path: Path, capsys: Output
) -> None:
    path = tmp_path / "out.turns.csv"
    path.write_text("somebody's work")
    words = [str(tiny_path), "--games", "1", "--out", str(tmp_path / "out.csv")]

    assert "already exists" in refusal(capsys, 2, *words, "--detail")
    assert main(["simulate", *words]) == 0
    assert path.read_text() == "somebody's work"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--detail"], "--detail requires --out FILE"),
        (["--resume"], "--resume requires --out FILE"),
        (["--resume", "--out", "/dev/null"], "/dev/null is not a regular file"),
        (["--out", "a.csv", "--seed", str(1 << 70)], ""),
        (["--out", "a.parquet", "--seed", str(1 << 70)], "too large for Parquet"),
    ],
)
def test_rejects_incompatible_options(
    words: list[str], said: str, tiny_path: Path, working_folder: Path, capsys: Output
) -> None:
    if "a.parquet" in words:
        pytest.importorskip("pyarrow")
    command = [str(tiny_path), "--games", "1", *words]

    assert said in refusal(capsys, 2 if said else 0, *command)


def test_table_without_games_has_no_rows(tiny_path: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for ending in ("jsonl", "csv", "parquet"):
        out = tmp_path / f"out.{ending}"
        assert (
            main(["simulate", str(tiny_path), "--games", "0", "--out", str(out)]) == 0
        )

    assert (tmp_path / "out.jsonl").read_bytes() == b""
    assert (tmp_path / "out.csv").read_text().count("\n") == 1
    assert parquet.read_table(tmp_path / "out.parquet").num_rows == 0


# ---------------------------------------------------------------- columns


@pytest.mark.parametrize(
    ("column", "good", "bad"),
    [
        (Column("a", WHOLE, ""), [0, -1, (1 << 63) - 1], [True, 1.5, 1 << 63, None]),
        (Column("a", TRUTH, ""), [True, False], [0, 1, "yes", None]),
        (
            Column("a", TEXTS, "", optional=True),
            [[], ["a"], None],
            [[1], "a", ["a", None]],
        ),
        (Column("a", SEED, ""), [1 << 100], [False, "1"]),
        (Column("a", BOT_SEED, ""), [1 << 100], [False, "1"]),
    ],
)
def test_column_accepts_only_its_type(
    column: Column, good: list[Any], bad: list[Any]
) -> None:
    table = TableSchema("things", (column,))

    assert [table.error_in([value]) for value in good] == [None] * len(good)
    assert all(table.error_in([value]) for value in bad)
    assert table.error_in([]) == table.error_in(None) == "a row of things has 1 values"


def test_names_with_a_dot_are_objects_in_json() -> None:
    row = nested_row(["a", "b.c", "b.d"], [1, 2, 3])

    assert row == {"a": 1, "b": {"c": 2, "d": 3}}
