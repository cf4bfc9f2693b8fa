"""Choice of the engine for `simulate`; both engines play the same games."""

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter.c_engine import PlayoutRunner, PlayoutSource
from interpreter.native.build import compilers
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.compilers import c_compiler
from workbench.analysis.simulation import native_play
from workbench.analysis.simulation.engines import (
    MIN_NATIVE_GAMES,
    MIN_NATIVE_THINKING_GAMES,
)
from workbench.cli import main

Output = pytest.CaptureFixture[str]
SPEED = ("seconds", "games_per_second", "decisions_per_second")
EXAMPLES = Path(__file__).parents[2] / "examples"

OWN_BOT = "def first(view, legal, sample, numbers):\n    return legal[0]\n"
FAILING = Path(__file__).parents[1] / "interpreter" / "failing.rules"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a separate cache folder for this test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def a_compiler() -> None:
    """Skip the test if no engine can be compiled."""
    if isinstance(c_compiler(), BuildFailure):
        pytest.skip("there is no compiler here")


@pytest.fixture
def quick_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never translate rules to C because games of the interpreter take long."""
    monkeypatch.setattr(native_play, "PREPARATION_SECONDS", 3600.0)


def simulated(capsys: Output, *arguments: str) -> tuple[dict[str, Any], str, str]:
    """Return the document without its speed, the engine, and standard error."""
    capsys.readouterr()
    assert main(["simulate", *arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    for name in SPEED:
        del document[name]
    return document, document.pop("engine"), err


def refused(capsys: Output, *arguments: str, status: int) -> str:
    capsys.readouterr()
    assert main(["simulate", *arguments]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    return err


@pytest.mark.usefixtures("a_compiler")
@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--players", "2", "--seed", "-5", "--bot-seed", "9"],
        ["--max-turns", "3"],
        ["--max-decisions", "7"],
        ["--jobs", "2"],
        ["--bots", "greedy"],
        ["--bots", "random,greedy", "--players", "2", "--jobs", "2"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("game", ["tiny", "first"])
def test_both_engines_play_the_same_games(
    game: str, more: list[str], tiny_path: Path, tmp_path: Path, capsys: Output
) -> None:
    path = tiny_path if game == "tiny" else EXAMPLES / "first" / "first.rules"
    words = [str(path), "--games", "20", *more]
    lines = []
    documents = []
    for engine in ("native", "reference"):
        out = tmp_path / f"{engine}.jsonl"
        document, name, err = simulated(
            capsys, *words, "--engine", engine, "--out", str(out)
        )
        assert (name, err) == (engine, "")
        documents.append(document)
        lines.append(out.read_text())

    assert documents[0] == documents[1]
    assert documents[0]["decisions"]["mean"] > 0
    assert documents[0]["actions"]
    assert lines[0] == lines[1]


@pytest.mark.usefixtures("a_compiler")
@pytest.mark.parametrize("more", [["--bots", "greedy"], ["--jobs", "2"]], ids=" ".join)
def test_both_engines_write_the_same_records(
    more: list[str], tiny_path: Path, tmp_path: Path, capsys: Output
) -> None:
    kept = []
    for engine in ("native", "reference"):
        folder = tmp_path / engine
        words = [str(tiny_path), "--games", "9", "--seed", "-4", *more]
        words += ["--records", str(folder), "--engine", engine]
        assert simulated(capsys, *words)[1] == engine
        kept.append({path.name: path.read_bytes() for path in folder.iterdir()})

    assert len(kept[0]) == 9
    assert kept[0] == kept[1]


@pytest.mark.usefixtures("a_compiler")
@pytest.mark.usefixtures("quick_machine")
def test_native_engine_is_used_earlier_for_slow_bots(
    tiny_path: Path, capsys: Output
) -> None:
    words = [str(tiny_path), "--bots", "greedy", "--games"]

    assert (
        simulated(capsys, *words, str(MIN_NATIVE_THINKING_GAMES - 1))[1] == "reference"
    )
    assert simulated(capsys, *words, str(MIN_NATIVE_THINKING_GAMES))[1] == "native"


@pytest.mark.usefixtures("a_compiler", "quick_machine")
@pytest.mark.parametrize(
    ("games", "engine"),
    [
        (1, "reference"),
        (MIN_NATIVE_GAMES - 1, "reference"),
        (MIN_NATIVE_GAMES, "native"),
    ],
)
def test_native_engine_is_the_default_for_many_games(
    games: int, engine: str, tiny_path: Path, capsys: Output
) -> None:
    words = [str(tiny_path), "--games", str(games)]

    document, name, err = simulated(capsys, *words)

    assert (name, err) == (engine, "")
    assert document == simulated(capsys, *words, "--engine", "reference")[0]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (
            ["--bots", "own.py"],
            "it supports the bots random, greedy, mcts, but not own.py",
        ),
        (["--bots", "random,own.py"], "the bots random, greedy, mcts, but not own.py"),
    ],
)
def test_interpreter_plays_what_the_native_engine_does_not_support(
    more: list[str], why: str, tiny_path: Path, working_folder: Path, capsys: Output
) -> None:
    Path("own.py").write_text(OWN_BOT)
    words = [str(tiny_path), "--players", "2", "--games", str(MIN_NATIVE_GAMES), *more]

    assert why in refused(capsys, *words, "--engine", "native", status=2)
    _, name, err = simulated(capsys, *words)

    assert (name, err) == ("reference", "")


def test_without_a_compiler_the_interpreter_plays_and_says_so(
    tiny_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(compilers, "find_spec", lambda _name: None)
    words = [str(tiny_path), "--games", str(MIN_NATIVE_GAMES), "--players", "2"]

    _, name, err = simulated(capsys, *words)

    assert name == "reference"
    (line,) = err.splitlines()
    assert line.startswith("note: using the interpreter: no C compiler was found")
    assert "rulebook-lang[native]" in line
    told = refused(capsys, *words, "--engine", "native", status=1)
    assert "no C compiler was found" in told
    assert simulated(capsys, *words, "--engine", "reference")[2] == ""


@pytest.mark.usefixtures("a_compiler")
def test_interpreter_plays_games_that_the_native_engine_cannot(
    tiny_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    words = [str(tiny_path), "--games", "5", "--engine"]
    before = simulated(capsys, *words, "reference")[0]
    usual = PlayoutRunner.play

    def now_and_then(self: PlayoutRunner, *given: Any, **more: Any) -> Any:
        played = usual(self, *given, **more)
        return (None if number % 2 else came for number, came in enumerate(played))

    monkeypatch.setattr(PlayoutRunner, "play", now_and_then)

    assert simulated(capsys, *words, "native")[0] == before


@pytest.mark.usefixtures("a_compiler")
def test_reports_a_bot_without_native_code(
    tiny_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr(
        PlayoutSource, "unsupported_reason", lambda _self, _bots: "for greedy: a reason"
    )
    words = [str(tiny_path), "--games", str(MIN_NATIVE_GAMES), "--bots", "greedy"]

    _, name, err = simulated(capsys, *words)

    assert name == "reference"
    assert err == "note: using the interpreter: for greedy: a reason\n"
    assert "a reason" in refused(capsys, *words, "--engine", "native", status=1)


@pytest.mark.usefixtures("a_compiler")
def test_both_engines_report_an_error_in_the_rules_alike(capsys: Output) -> None:
    told = []
    for engine in ("native", "reference"):
        capsys.readouterr()
        words = [str(FAILING), "--games", "9", "--engine", engine]
        assert main(["simulate", *words]) == 1
        told.append(capsys.readouterr().err)

    assert told[0] == told[1]
    assert "failing.rules" in told[0]
