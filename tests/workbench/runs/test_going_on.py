"""A resumed run has the same rows as a run without interruption."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from benchmarks.interrupted import Seen, Stand, interrupted
from tests.support.commands import Output, document_of, errors_of
from workbench.analysis.runs.interruptions import RunStopped, SignalGuard
from workbench.analysis.runs.partial_runs import PartialRun
from workbench.analysis.runs.run import GameRun
from workbench.analysis.runs.run_tables import RunTables
from workbench.analysis.simulation.processes import WorkerLost
from workbench.analysis.simulation.statistics import Result, Tally
from workbench.cli import main

GAMES = 12
MOMENTS = 3


def words(tiny: Path, out: Path, *more: str) -> list[str]:
    command = ["simulate", str(tiny), "--games", str(GAMES), "--players", "2"]
    return [*command, "--jobs", "1", "--out", str(out), *more]


@pytest.fixture
def whole(
    tiny_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, bytes, bytes]:
    """Return a path for rows, the complete rows, and the partial run before
    completion.
    """
    out = tmp_path / "out.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr(PartialRun, "remove", lambda _: None)
        assert main(words(tiny_path, out)) == 0
    rows = out.read_bytes()
    out.unlink()
    return out, rows, part_of(out).read_bytes()


def part_of(out: Path) -> Path:
    return out.with_name(f"{out.name}.part")


@pytest.mark.parametrize("cut", [0, 0.0001, 0.2, 0.5, 0.77, 0.99, 1])
def test_file_truncated_anywhere_can_be_resumed(
    cut: float, whole: tuple[Path, bytes, bytes], tiny_path: Path, capsys: Output
) -> None:
    out, rows, kept = whole
    head = kept.index(b"\n") + 1
    part_of(out).write_bytes(kept[: int(len(kept) * cut)])
    there = part_of(out).read_bytes()
    games = max(there.count(b"\n") - 1, 0)
    if games:
        said = errors_of(capsys, *words(tiny_path, out))
        assert f"{games} games of an interrupted run" in said
        assert "continue it with --resume" in said

    assert main(words(tiny_path, out, "--resume")) == 0

    assert out.read_bytes() == rows
    assert not part_of(out).exists()
    assert len(kept) > head


def test_rows_after_a_truncated_line_are_complete(
    whole: tuple[Path, bytes, bytes], tiny_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, rows, kept = whole
    part_of(out).write_bytes(kept[: len(kept) // 2])

    with monkeypatch.context() as patch:
        patch.setattr(PartialRun, "remove", lambda _: None)
        assert main(words(tiny_path, out, "--resume")) == 0

    assert all(json.loads(line) for line in part_of(out).read_bytes().splitlines())
    assert main(words(tiny_path, out, "--resume")) == 0
    assert out.read_bytes() == rows


def test_portions_may_be_in_any_order_with_gaps(
    whole: tuple[Path, bytes, bytes], tiny_path: Path
) -> None:
    out, rows, kept = whole
    head, *portions = kept.splitlines(keepends=True)
    Random(1).shuffle(portions)
    part_of(out).write_bytes(head + b"".join(portions[:7]))

    assert main(words(tiny_path, out, "--resume", "--jobs", "2")) == 0

    assert out.read_bytes() == rows


def test_fewer_games_are_the_first_and_more_are_added(
    whole: tuple[Path, bytes, bytes], tiny_path: Path, tmp_path: Path
) -> None:
    out, rows, kept = whole
    more = tmp_path / "more.jsonl"
    assert main(words(tiny_path, more, "--games", "20")) == 0
    part_of(out).write_bytes(kept)

    assert main(words(tiny_path, out, "--resume", "--games", "5")) == 0
    assert out.read_bytes() == b"".join(rows.splitlines(keepends=True)[:5])

    part_of(out).write_bytes(kept)
    assert main(words(tiny_path, out, "--resume", "--games", "20")) == 0
    assert out.read_bytes() == more.read_bytes()


@pytest.mark.parametrize("more", [(), ("--seed", "99", "--games", "5")])
def test_completed_run_is_not_overwritten(
    more: tuple[str, ...],
    whole: tuple[Path, bytes, bytes],
    tiny_path: Path,
    capsys: Output,
) -> None:
    out, rows, _ = whole
    out.write_bytes(rows)
    part_of(out).unlink()

    said = errors_of(capsys, *words(tiny_path, out, "--resume", *more))

    assert f"{out} belongs to a completed run" in said
    assert "choose another --out, or remove it" in said
    assert out.read_bytes() == rows
    assert not part_of(out).exists()


def test_summary_includes_earlier_games(
    whole: tuple[Path, bytes, bytes], tiny_path: Path, capsys: Output
) -> None:
    out, _, kept = whole
    documents = []
    for there in (b"", kept[: len(kept) // 2], kept):
        part_of(out).write_bytes(there)
        document = document_of(capsys, *words(tiny_path, out, "--resume"))
        for name in ("seconds", "games_per_second", "decisions_per_second"):
            del document[name]
        documents.append(document)

    assert documents[0] == documents[1] == documents[2]
    assert documents[0]["games"] == GAMES


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--seed", "2"], "seed 1, not 2"),
        (["--bot-seed", "2"], "bot_seed 1, not 2"),
        (["--players", "3"], "players 2, not 3"),
        (["--bots", "greedy,random"], '"north": "random"'),
        (["--max-turns", "3"], "max_turns null, not 3"),
        (["--max-decisions", "3"], "max_decisions 100000, not 3"),
        (["--detail"], "tables"),
        (["--records", "DIR"], "records false, not true"),
        (["--option", "goal=7"], "options"),
    ],
)
def test_run_with_other_settings_is_rejected_with_the_difference(
    more: list[str],
    said: str,
    whole: tuple[Path, bytes, bytes],
    tiny_path: Path,
    capsys: Output,
) -> None:
    out, _, kept = whole
    part_of(out).write_bytes(kept)
    more = [word.replace("DIR", str(out.with_name("games"))) for word in more]

    told = errors_of(capsys, *words(tiny_path, out, "--resume", *more))

    assert "contains games of a different run" in told
    assert said in told
    assert part_of(out).read_bytes() == kept
    assert not out.exists()


def test_run_with_other_rules_is_rejected(
    whole: tuple[Path, bytes, bytes], tiny_path: Path, tmp_path: Path, capsys: Output
) -> None:
    out, _, kept = whole
    part_of(out).write_bytes(kept)
    other = tmp_path / "tiny.rules"
    text = tiny_path.read_text("utf-8")
    other.write_text(text.replace("(1 to 9): 3", "(1 to 9): 4"), "utf-8")

    assert text != other.read_text("utf-8")
    assert "digest" in errors_of(capsys, *words(other, out, "--resume"))


def changed(kept: bytes, line: int, change: Callable[[str], str]) -> bytes:
    lines = kept.decode().splitlines(keepends=True)
    lines[line] = change(lines[line])
    return "".join(lines).encode()


HOSTILE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "no JSON": (lambda k: changed(k, 2, lambda _: "{\n"), "line 3 is not a JSON"),
    "zeros": (
        lambda k: changed(k, 2, lambda _: "\0" * 9 + "\n"),
        "line 3 is not a JSON",
    ),
    "deep": (
        lambda k: changed(k, 2, lambda _: "[" * 99999 + "\n"),
        "line 3 is not a JSON",
    ),
    "half a letter": (lambda k: k + b"\xff\n", "is not a JSON"),
    "a list": (lambda k: changed(k, 2, lambda _: "[]\n"), "line 3 is not an object"),
    "no portion": (
        lambda k: changed(k, 2, lambda _: "{}\n"),
        "line 3 is not a portion",
    ),
    "below 0": (
        lambda k: changed(k, 2, lambda t: t.replace('"first": 1', '"first": -1')),
        "is not a portion",
    ),
    "tables": (
        lambda k: changed(k, 2, lambda t: t.replace('"games"', '"turns"')),
        "does not contain the tables games",
    ),
    "a text for a number": (
        lambda k: changed(k, 2, lambda t: t.replace("[[2,1,1,true", '[[2,1,1,"yes"')),
        "finished is a truth, not 'yes'",
    ),
    "a number too large": (
        lambda k: changed(k, 2, lambda t: t[: t.rindex(",")] + f",{1 << 80}]]}}}}\n"),
        "is a whole number",
    ),
    "endless digits": (
        lambda k: changed(
            k, 2, lambda t: t[: t.rindex(",")] + f",{'9' * 5000}]]}}}}\n"
        ),
        "is not a JSON",
    ),
    "a value too few": (
        lambda k: changed(k, 2, lambda t: t[: t.rindex(",")] + "]]}}\n"),
        "a row of games has",
    ),
    "another game": (
        lambda k: changed(k, 2, lambda t: t.replace('"first": 1', '"first": 40')),
        "does not contain the games that it declares",
    ),
    "twice": (
        lambda k: k + k.splitlines(keepends=True)[3],
        "repeats game 2",
    ),
    "another version": (
        lambda k: k.replace(b"rulebook-games/1", b"rulebook-games/2"),
        "format",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_manually_edited_file_is_rejected(
    name: str, whole: tuple[Path, bytes, bytes], tiny_path: Path, capsys: Output
) -> None:
    change, said = HOSTILE[name]
    out, _, kept = whole
    damaged = change(kept)
    assert damaged != kept
    part_of(out).write_bytes(damaged)

    status = 2 if said == "format" else 1
    assert said in errors_of(capsys, *words(tiny_path, out, "--resume"), status=status)

    assert part_of(out).read_bytes() == damaged
    assert not out.exists()


def test_resumed_run_accepts_its_own_records(
    tiny_path: Path, tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, records = tmp_path / "out.csv", tmp_path / "games"
    command = words(tiny_path, out, "--records", str(records))
    with monkeypatch.context() as patch:
        patch.setattr(PartialRun, "remove", lambda _: None)
        assert main(command) == 0
    part = part_of(out)
    part.write_bytes(part.read_bytes()[: part.stat().st_size // 2])
    before = {path.name: path.read_bytes() for path in records.iterdir()}
    (records / "12.jsonl").unlink()

    assert main([*command, "--resume"]) == 0
    assert {path.name: path.read_bytes() for path in records.iterdir()} == before

    (records / "12.jsonl").write_text("another\n")
    out.unlink()
    assert "is another game" in errors_of(capsys, *command, "--resume")


# ---------------------------------------------------------------- stopped


def result(number: int) -> Result:
    return Result(
        seed=number + 1,
        finished=True,
        winners=("a",),
        reason=None,
        points={"a": number},
        turns=number % 7,
        decisions=2,
        actions={},
        game=number,
    )


def run_of(games: int) -> GameRun:
    return GameRun(games, 1, RunTables(("a",), ()), Tally(("a",)))


def shown(portions: object, _: GameRun) -> object:
    return portions


@pytest.mark.parametrize(
    "stop",
    [
        RunStopped(signal.SIGINT),
        RunStopped(signal.SIGTERM),
        WorkerLost("gone", exit_code=1),
    ],
)
def test_stop_reason_is_stored_and_played_games_are_counted(
    stop: BaseException,
) -> None:
    run, seen = run_of(9), []
    run.consumers = (lambda result: seen.append(result.game),)

    def play(portions: object) -> object:
        yield [result(0)]
        yield [result(4), result(5)]
        yield [result(1)]
        raise stop

    run.run(play, shown)  # type: ignore[arg-type]

    assert run.stop_reason is stop
    assert not run.is_complete
    assert (run.tally.games, run.played_games, seen) == (4, 4, [0, 1, 4, 5])


@pytest.mark.parametrize("games", [1, 2])
def test_a_signal_waits_until_the_files_are_made(games: int) -> None:
    run, made = run_of(games), []

    def play(portions: object) -> object:
        yield [result(0)]

    def finish() -> None:
        signal.raise_signal(signal.SIGTERM)
        made.append(run.tally.games)

    run.run(play, shown, finish)  # type: ignore[arg-type]

    assert made == [1]
    assert run.is_complete == (games == 1)
    assert (run.stop_reason is None) == run.is_complete


def test_exception_is_raised_after_counting() -> None:
    run = run_of(9)

    def play(portions: object) -> object:
        yield [result(3)]
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        run.run(play, shown)  # type: ignore[arg-type]
    assert run.tally.games == 1


def test_signal_waits_for_an_uninterrupted_block() -> None:
    before = signal.getsignal(signal.SIGTERM)
    done = []

    def work() -> None:
        with SignalGuard() as stops:
            with stops.uninterrupted():
                os.kill(os.getpid(), signal.SIGTERM)
                done.append("noted")
            done.append("never")

    with pytest.raises(RunStopped) as stopped:
        work()

    assert done == ["noted"]
    assert stopped.value.exit_code == 143
    assert signal.getsignal(signal.SIGTERM) is before


def test_unraisable_signal_is_raised_later() -> None:
    before, done = sys.unraisablehook, []

    class Going:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    def work() -> None:
        with SignalGuard() as stops:
            Going()
            done.append("went on")
            with stops.uninterrupted():
                done.append("noted")
            done.append("never")

    with pytest.raises(RunStopped) as stopped:
        work()

    assert done == ["went on", "noted"]
    assert stopped.value.exit_code == 143
    assert sys.unraisablehook is before


def test_signal_interrupts_other_code() -> None:
    with pytest.raises(RunStopped) as stopped, SignalGuard():
        signal.raise_signal(signal.SIGINT)

    assert stopped.value.exit_code == 130


@pytest.mark.skipif(sys.platform == "win32", reason="other signals")
def test_interrupted_run_can_be_resumed(tiny_path: Path, tmp_path: Path) -> None:
    stand = Stand(str(tiny_path), 60, tmp_path, (".csv",))
    seen = Seen()

    assert list(interrupted(stand, MOMENTS, Random(1), seen)) == []
    assert seen.moments == MOMENTS
