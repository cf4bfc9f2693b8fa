"""Records that are truncated, written by two programs, or in the way."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interpreter import Game
from rulebook import Rulebook
from tests.support.commands import Output, errors_of, output_of
from workbench.cli import main
from workbench.errors import RequestError
from workbench.files.records.record_files import load_record
from workbench.files.records.recorder import Recorder

HERE = Path(__file__).parent / "durable"


@pytest.fixture
def truncated_record(tmp_path: Path) -> Path:
    return Path(shutil.copy(HERE / "torn.jsonl", tmp_path / "torn.jsonl"))


@pytest.fixture(scope="module")
def played(tiny_path: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the record of a whole game."""
    path = tmp_path_factory.mktemp("played") / "game.jsonl"
    words = ["play", str(tiny_path), "--seat", "all=random", "--record", str(path)]
    assert main([*words, "--seed", "1", "--bot-seed", "1"]) == 0
    return path.read_bytes()


@pytest.fixture
def record(played: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(played)
    return path


def continue_record(path: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    return main(["play", "--resume", str(path), *more])


# ---------------------------------------------------------------- a last line cut off


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("replay {}", 38),
        ("why {} end_turn", 1),
        ("board --record {} --out {}.svg", 9),
    ],
)
def test_a_truncated_record_is_read_up_to_the_cut(
    command: str, missing: int, truncated_record: Path, capsys: Output
) -> None:
    whole = truncated_record.read_bytes()
    truncated_record.write_bytes(whole[: -missing - 1])

    assert main([word.format(truncated_record) for word in command.split()]) == 0

    printed = capsys.readouterr()
    assert "line 366 is incomplete" in printed.err
    assert printed.err.count("is incomplete") == 1
    assert truncated_record.read_bytes() == whole[: -missing - 1]


@pytest.mark.parametrize("number", ["9" * 5_000, "-" + "7" * 90, "1" * 81])
def test_a_line_with_a_long_number_is_complete_but_invalid(
    number: str, truncated_record: Path, capsys: Output
) -> None:
    whole = truncated_record.read_bytes()
    truncated_record.write_bytes(
        whole + f'{{"chance": "dice", "outcome": {number}}}'.encode()
    )

    text, left = load_record(str(truncated_record))

    assert (text.encode(), left) == (truncated_record.read_bytes(), b"")
    assert main(["replay", str(truncated_record)]) == 1
    printed = capsys.readouterr()
    assert "a number has more than 80 digits" in printed.out + printed.err
    assert "incomplete" not in printed.err


def test_a_cut_at_any_byte_preserves_the_earlier_lines(truncated_record: Path) -> None:
    whole = truncated_record.read_bytes()
    for end in range(len(whole) - 200, len(whole)):
        truncated_record.write_bytes(whole[:end])

        text, left = load_record(str(truncated_record))

        assert text.encode() + left == whole[:end]
        assert all(json.loads(line) for line in text.splitlines())
        assert bool(left) == (whole[end - 1 : end] not in {b"\n", b"}"}) or (
            whole[end : end + 1] not in {b"\n", b""} and whole[end - 1 : end] != b"\n"
        )


@pytest.mark.parametrize(
    "tail",
    [
        '{"seat": "white", "action": "build_road(K\u00f6ln-Trier)"}'.encode()[:43],
        b'{"seat": "white", "act' + b"\0" * 4000,
        b"\0" * 4096,
        b"{",
        b'{"chance": "roll", "outcome": [1, 2]',
    ],
    ids=["in a letter", "and zeros", "zeros", "one sign", "in a list"],
)
def test_moves_an_incomplete_tail_to_another_file(
    tail: bytes, record: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = record.read_bytes()
    lines = whole.count(b"\n")
    record.write_bytes(whole + tail)

    assert main(["replay", str(record), "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["steps"] == lines - 2
    assert f"line {lines + 1} is incomplete" in printed.err

    assert continue_record(record, monkeypatch) == 0

    assert record.read_bytes() == whole
    assert record.with_name("game.jsonl.torn").read_bytes() == tail
    assert "it was moved to" in " ".join(capsys.readouterr().out.split())


def test_a_last_line_without_a_newline_is_complete(
    record: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = record.read_bytes()
    record.write_bytes(whole[:-1])

    assert "incomplete" not in errors_of(capsys, "replay", str(record), status=0)
    assert continue_record(record, monkeypatch) == 0

    assert record.read_bytes() == whole
    assert [path.name for path in record.parent.iterdir()] == ["game.jsonl"]


@pytest.mark.parametrize("text", [b"", b"\0\0\0", b'{"format": "rule', b"hello"])
def test_a_file_without_a_complete_line_is_not_a_record(
    text: bytes, tmp_path: Path, capsys: Output
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(text)
    for words in (["replay"], ["play", "--resume"], ["repair"]):
        assert "this is not a record" in errors_of(capsys, *words, str(path), status=1)
    assert path.read_bytes() == text


def test_each_truncated_tail_is_preserved(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = record.read_bytes()
    for _ in range(2):
        record.write_bytes(whole[:-3])
        assert continue_record(record, monkeypatch, "--seat", "all=random") == 0

    assert record.read_bytes() == whole
    last = whole[whole[:-1].rindex(b"\n") + 1 : -3]
    kept = sorted(record.parent.glob("*.torn*"))
    assert [path.read_bytes() for path in kept] == [last, last]


# ---------------------------------------------------------------- repair


def test_repairs_a_record_written_by_two_programs(
    tmp_path: Path, capsys: Output
) -> None:
    path = Path(shutil.copy(HERE / "con.jsonl", tmp_path / "con.jsonl"))
    before = path.read_bytes()
    assert main(["replay", str(path)]) == 1

    said = output_of(capsys, "repair", str(path))
    assert "60 steps are intact" in said
    assert "line 62: refuse_offer is not legal" in said
    repaired = tmp_path / "con.repaired.jsonl"
    assert path.read_bytes() == before
    assert repaired.read_bytes() == b"".join(before.splitlines(keepends=True)[:61])
    assert main(["replay", str(repaired)]) == 0


@pytest.mark.parametrize(
    ("damage", "lines"),
    [
        (lambda lines: lines, None),
        (lambda lines: [*lines[:9], b"{]\n", *lines[9:]], 9),
        (lambda lines: [*lines[:-1], b'{"end": {"winners": ["south"]}}\n'], -1),
        (lambda lines: [*lines, *lines[-3:]], -1),
        (lambda lines: [*lines[:7], *lines[8:]], 7),
        (lambda lines: [*lines[:-1], lines[-1][:-5]], -1),
    ],
    ids=["whole", "no document", "another end", "written twice", "a gap", "cut off"],
)
def test_repair_keeps_the_valid_lines(
    damage: Callable[[list[bytes]], list[bytes]], lines: int | None, record: Path
) -> None:
    whole = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(damage(whole)))

    assert main(["repair", str(record)]) == 0

    repaired = record.with_name("game.repaired.jsonl")
    assert repaired.exists() == (lines is not None)
    if lines is not None:
        kept = repaired.read_bytes().splitlines(keepends=True)
        assert kept == whole[: len(kept)]
        assert len(kept) >= (lines if lines > 0 else len(whole) - 1)
        assert main(["replay", str(repaired)]) == 0


def test_repair_overwrites_no_file(record: Path, capsys: Output) -> None:
    record.write_bytes(record.read_bytes()[:-3])
    there = record.with_name("game.repaired.jsonl")
    there.write_text("mine")

    assert main(["repair", str(record)]) == 2

    assert there.read_text() == "mine"
    assert capsys.readouterr().err == f"rulebook: {there}: File exists\n"


# ---------------------------------------------------------------- in the way


@pytest.mark.parametrize(
    "thing", ["record", "rules", "empty", "folder", "link", "dangling", "pipe"]
)
def test_a_record_never_overwrites_a_file(
    thing: str, tiny_path: Path, tmp_path: Path, capsys: Output
) -> None:
    path = tmp_path / "there"
    kept = tmp_path / "kept"
    kept.write_text("mine")
    made: dict[str, Callable[[], object]] = {
        "record": lambda: path.write_text("mine"),
        "rules": lambda: shutil.copy(tiny_path, path),
        "empty": lambda: path.write_text(""),
        "folder": path.mkdir,
        "link": lambda: path.symlink_to(kept),
        "dangling": lambda: path.symlink_to(tmp_path / "nowhere"),
        "pipe": lambda: os.mkfifo(path),
    }
    made[thing]()
    before = sorted(tmp_path.iterdir()), path.lstat()

    words = ["play", str(tiny_path), "--seat", "all=random", "--record", str(path)]
    assert "already exists" in errors_of(capsys, *words)
    after = sorted(tmp_path.iterdir()), path.lstat()
    assert after[0] == before[0]
    assert (after[1].st_mtime_ns, after[1].st_size) == (
        before[1].st_mtime_ns,
        before[1].st_size,
    )
    assert kept.read_text() == "mine"


def test_a_picture_overwrites_only_pictures(
    tiny_path: Path, tmp_path: Path, capsys: Output
) -> None:
    for name, text, status in (
        ("picture", "<svg/>", 0),
        ("rules", "rules language 1\n", 2),
        ("empty", "", 0),
    ):
        path = tmp_path / name
        path.write_text(text)
        assert main(["board", str(tiny_path), "--out", str(path)]) == status
        assert (path.read_text() == text) == (status == 2)
    assert "already exists and is not a picture" in capsys.readouterr().err


# ---------------------------------------------------------------- two writers


@pytest.fixture
def writer(tiny_path: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a game that waits for a line and writes `held.jsonl`."""
    path = tmp_path / "held.jsonl"
    command = [sys.executable, "-m", "workbench", "play", str(tiny_path)]
    with subprocess.Popen(
        [*command, "--record", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as game:
        deadline = time.monotonic() + 60
        while not path.exists() or not path.stat().st_size:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        yield game
        game.kill()


def test_a_second_writer_is_rejected_and_told_who_writes(
    writer: subprocess.Popen[str], tmp_path: Path, capsys: Output
) -> None:
    path = tmp_path / "held.jsonl"
    (tmp_path / "link").symlink_to(path)
    (tmp_path / "twin").hardlink_to(path)
    before = path.read_bytes()

    for name in ("held.jsonl", "link", "twin"):
        said = errors_of(capsys, "play", "--resume", str(tmp_path / name))
        assert f"is being written by process {writer.pid} (" in said
        assert "play" in said
        assert path.read_bytes() == before


def test_a_lock_ends_with_its_process_and_readers_need_none(
    writer: subprocess.Popen[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "held.jsonl"
    assert main(["replay", str(path)]) == 0
    writer.send_signal(signal.SIGKILL)
    writer.wait()

    assert continue_record(path, monkeypatch) == 0


def test_reports_a_system_without_locks(
    tiny: Rulebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(handle: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("workbench.files.library.locks._take", none)
    recorder = Recorder(str(tmp_path / "game.jsonl"))

    recorder.write(Game.start(tiny, seed=1))

    assert "cannot be locked (No locks available)" in str(recorder.note)


# ---------------------------------------------------------------- appended only


def test_continuing_changes_no_existing_line(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    spaced = [line.replace(b": ", b" :  ") for line in lines[:6]]
    record.write_bytes(b"".join(spaced))
    number = record.stat().st_ino

    assert continue_record(record, monkeypatch, "--seat", "all=random") == 0

    after = record.read_bytes().splitlines(keepends=True)
    assert after[:6] == spaced
    assert json.loads(after[-1])["end"]
    assert record.stat().st_ino == number
    assert main(["replay", str(record)]) == 0


def test_continuing_restores_a_missing_end_line(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = record.read_bytes()
    record.write_bytes(whole[: whole[:-1].rindex(b"\n") + 1])

    assert continue_record(record, monkeypatch) == 0
    assert continue_record(record, monkeypatch) == 0

    assert record.read_bytes() == whole


def test_a_copy_leaves_the_original_record_unchanged(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = record.read_bytes()
    record.write_bytes(whole[:-9])
    copy = tmp_path / "copy.jsonl"

    assert continue_record(record, monkeypatch, "--record", str(copy)) == 0

    assert record.read_bytes() == whole[:-9]
    assert copy.read_bytes() == whole


def test_undone_events_are_removed(tiny: Rulebook, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    recorder = Recorder(str(path))
    games = [Game.start(tiny, players=2, seed=1)]
    recorder.write(games[0])
    while games[-1].to_act is not None:
        games.append(games[-1].copy())
        games[-1].apply(games[-1].legal_actions()[-1])
        recorder.write(games[-1])
    for at in (-1, -3, 0, 5, -1):
        recorder.write(games[at])
        assert path.read_text() == games[at].record


def test_a_record_cannot_be_continued_with_other_rules(
    record: Path,
    tiny_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:3]))
    other = tmp_path / "tiny.rules"
    other.write_text(tiny_path.read_text().replace("score <= 38", "score <= 37"))

    assert main(["play", str(other), "--resume", str(record)]) == 2

    assert "was recorded with different rules" in capsys.readouterr().err
    assert record.read_bytes() == b"".join(lines[:3])


# ---------------------------------------------------------------- decided already


@pytest.mark.parametrize(
    "setting",
    ["--players 3", "--players 2", "--seed 5", "--option goal=2", "--board x.json"],
)
@pytest.mark.parametrize(
    "command", ["play --resume {}", "board --out x.svg --record {}"]
)
def test_rejects_settings_together_with_a_record(
    command: str, setting: str, record: Path, capsys: Output
) -> None:
    words = [word.format(record) for word in f"{command} {setting}".split()]

    assert main(words) == 2

    flag = setting.split(maxsplit=1)[0]
    assert f"{flag} cannot be changed for the game in {record}" in (
        capsys.readouterr().err
    )


def test_a_closed_recorder_releases_the_file(tiny: Rulebook, tmp_path: Path) -> None:
    path = str(tmp_path / "game.jsonl")
    first = Recorder(path)
    first.write(Game.start(tiny, seed=1))
    with pytest.raises(RequestError, match="is being written by"):
        Recorder.resume(path)

    first.close()

    assert Recorder.resume(path)[1]


@pytest.mark.parametrize("setting", ["--bot-seed 1", "--game 2"])
def test_rejects_bot_seeds_together_with_a_record(
    setting: str, record: Path, capsys: Output
) -> None:
    assert main(["play", "--resume", str(record), *setting.split()]) == 2

    assert "cannot be changed for the game" in capsys.readouterr().err
