"""JSON documents match their schemas in docs/schemas."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

import variants
import workbench
from interpreter import Game, RecordError
from rulebook import Rulebook
from workbench.bots import generator, random_below
from workbench.cli import main
from workbench.cli.frame.command_table import COMMANDS

Output = pytest.CaptureFixture[str]
SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
FILE_FORMATS = {"record", "position", "rows"}
LATCH = str(Path(__file__).parent / "explore" / "latch.rules")
ORCHARD = str(Path(__file__).parent / "economy" / "orchard.rules")
EXAMPLES = Path(__file__).parents[2] / "examples"
SILENT = {"build", "completion", "lsp", "play"}
"""Commands whose output is for people only."""
SERVING = {"serve"}
"""Commands that continue after their document: see `tests/web/test_serve.py`."""


@cache
def validator(name: str) -> Draft202012Validator:
    """Return the validator for a schema, which is checked once."""
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def valid(name: str, document: Any) -> None:
    """Check a document against its schema."""
    validator(name).validate(document)


@pytest.fixture
def record(tiny_path: Path, tmp_path: Path) -> str:
    path = str(tmp_path / "game.jsonl")
    main(["play", str(tiny_path), "--seat", "all=random", "--record", path])
    return path


def test_each_command_with_a_document_has_a_schema() -> None:
    written = {path.stem for path in SCHEMAS.glob("*.json")}
    assert written == COMMANDS.keys() - SILENT | FILE_FORMATS


def damaged(record: str) -> str:
    """Return a record with a truncated last line, and an intact one."""
    path = Path(record).with_name("damaged.jsonl")
    path.write_bytes(Path(record).read_bytes()[:-3])
    return str(path)


def commands(tiny: str, record: str, folder: Path) -> dict[str, list[list[str]]]:
    other = str(folder / "tiny.rules")
    Path(other).write_text(Path(tiny).read_text(encoding="utf-8"))
    page = str(folder / "rules.html")
    bad = folder / "bad.rules"
    bad.write_text("extends nowhere\nreplace cost hut 3\n")
    old = folder / "old.rules"
    old.write_text('extends classic\nhint colour board: "#fff"\noption gone: x\n')
    return {
        "variants": [[], ["--all"]],
        "check": [[tiny], [str(bad)]],
        "explain": [["RB012"]],
        "options": [[tiny]],
        "print": [[tiny], [tiny, "--against", other], [tiny, "--out", page]],
        "show": [[tiny], [tiny, "--names"], [tiny, "cash_in"]],
        "format": [["--check", tiny], ["--upgrade", str(old)]],
        "new": [[folder.name], ["x", "--over", "classic"], ["y", "--from", "first"]],
        "test": [[tiny, "--games", "1"]],
        "mutate": [[tiny, "--sample", "3", "--games", "1"]],
        "coverage": [[tiny, "--games", "2"], [tiny, "--games", "0"]],
        "simulate": [
            [tiny, "--games", "2"],
            [tiny, "--games", "0"],
            [tiny, "--games", "110", "--until", "turns ±9"],
            [tiny, "--games", "2", "--until", "turns ±0.1"],
            [tiny, "--games", "1", "--max-decisions", "1"],
        ],
        "bots": [[]],
        "cache": [[], ["--clear"]],
        "replay": [
            [record],
            [record, "--list"],
            [record, "--at", "3"],
            [record, "--rules", "classic"],
        ],
        "compare": [
            [tiny, other, "--games", "4"],
            [tiny, other, "--games", "8", "--bots", "random"],
        ],
        "impact": [
            [tiny, tiny, "--corpus", str(Path(record).parent)],
            [tiny, LATCH, "--corpus", record],
            [LATCH, tiny, "--corpus", record],
        ],
        "sweep": [
            [tiny, "--vary", "option goal = 2, 3", "--games", "3"],
            [tiny, "--vary", "option goal = 12", "--games", "1", "--players", "2"],
        ],
        "ladder": [
            [tiny, "--bots", "random,greedy", "--games", "7"],
            [
                *(tiny, "--bots", "random,greedy", "--games", "6"),
                *("--max-decisions", "1", "--out", "d.svg"),
            ],
        ],
        "repair": [[record], [damaged(record)]],
        "why": [[record, "done", "--at", "1"], [record, "cash_in(white)", "--at", "2"]],
        "board": [[tiny, "--out", "a.svg"], ["--record", record, "--out", "b.svg"]],
        "economy": [
            [ORCHARD, "--setups", "3", "--out", "c.svg"],
            [str(EXAMPLES / "tiny" / "connect_four.rules"), "--setups", "1"],
        ],
        "explore": [
            [tiny, "--depth", "2", "--players", "2"],
            [tiny, "--limit", "3", "--seed", "1"],
            [tiny, "--from", record, "--at", "3", "--depth", "1"],
            [LATCH],
        ],
        "record-to-scenario": [[record], [record, "--at", "3", "--whole"]],
        "perft": [[tiny, "--depth", "2", "--players", "2"]],
    }


@pytest.mark.parametrize(
    "name",
    [name for name in COMMANDS if name not in SILENT | SERVING],
)
def test_output_of_each_command_matches_its_schema(
    name: str,
    tiny_path: Path,
    record: str,
    tmp_path: Path,
    capsys: Output,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "cache":  # uses a separate cache, which is cleared
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for arguments in commands(str(tiny_path), record, tmp_path)[name]:
        capsys.readouterr()

        main([name, *arguments, "--json"])

        valid(name, json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("variant", variants.names())
def test_positions_views_records_and_logs(variant: str) -> None:
    game = Game.start(workbench.load(variant), seed=3)
    numbers = generator(3, "everybody")
    for step in range(120):
        if step % 30 == 0:
            valid("position", game.position)
            for seat in (*game.seats, None):
                valid("position", {**game.view(seat), "chance": None, "end": None})
        legal = game.legal_actions()
        game.apply(legal[random_below(len(legal), numbers)])
    for line in game.record.splitlines():
        valid("record", json.loads(line))
    for event in game.log(None):
        valid("record", event)


def refused(name: str, document: Any) -> bool:
    try:
        valid(name, document)
    except ValidationError:
        return True
    return False


@pytest.mark.parametrize("number", [0, 1, 2, -1])
def test_reader_and_schema_agree_on_records(tiny: Rulebook, number: int) -> None:
    game = Game.start(tiny, players=2, seed=1)
    while game.to_act is not None:
        game.apply(game.legal_actions()[0])
    lines = [json.loads(line) for line in game.record.splitlines()]
    lines[number]["later"] = {"any": [1]}
    record = "\n".join(map(json.dumps, lines))

    if number == 0:  # in a header, unknown names are ignored
        valid("record", lines[0])
        assert Game.replay(record, tiny) == game
    else:
        assert refused("record", lines[number])
        with pytest.raises(RecordError):
            Game.replay(record, tiny)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("players", "2"),
        ("seed", 1.5),
        ("seats", ["north", 3]),
        ("options", {"goal": "3"}),
        ("board", []),
        ("bot_seed", None),
        ("game", "0"),
        ("position", []),
        ("sources", {"tiny": None}),
        ("digest", "sha256:0"),
        ("format", "rulebook-record/2"),
    ],
)
def test_reader_and_schema_reject_the_same_headers(
    tiny: Rulebook, name: str, value: Any
) -> None:
    head, *_ = Game.start(tiny, players=2, seed=1).record.splitlines()
    document = {**json.loads(head), name: value}

    assert refused("record", document)
    with pytest.raises(RecordError):
        Game.replay(json.dumps(document), tiny)
