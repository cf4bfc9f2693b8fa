"""Accidental or hostile texts: each gives one clear diagnostic. The time limit is
generous; it only detects work that grows faster than the text.
"""

import time
from pathlib import Path

import pytest

import rulebook
from tests.support.pages import FOLDER, PRELUDE

HEAD = f"extends {PRELUDE}\n"
SECONDS = 10
"""Processor seconds that a check may take."""

TRIES = 3
"""Number of attempts, because a shared machine may be slow at times."""


def loops(depth: int) -> str:
    lines = ["to rain"]
    lines += [f"{'  ' * level}each spot s{level}:" for level in range(1, depth + 1)]
    return "\n".join([*lines, f"{'  ' * (depth + 1)}harvest"])


def define(value: str) -> str:
    return f"define it: 0 to 9 = {value}"


def clauses(text: str, count: int = 10_000) -> str:
    return "\n".join(text.format(n) for n in range(count))


def checked(data: bytes, folder: Path) -> list[str]:
    """Return the codes of the diagnostics of a file, checked within the time limit."""
    prelude = f"{PRELUDE}.rules"
    (folder / prelude).write_bytes((FOLDER / prelude).read_bytes())
    (folder / "house.rules").write_bytes(data)
    for _ in range(TRIES):
        begun = time.process_time()
        diagnostics = rulebook.examine(folder / "house.rules")[1]
        taken = time.process_time() - begun
        if taken < SECONDS:
            break
    assert taken < SECONDS
    assert len(diagnostics) <= 101
    return [diagnostic.code for diagnostic in diagnostics]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "RB004"),
        (b"\n \n\n", "RB004"),
        (b"# only a remark\n", "RB004"),
        (f"{HEAD}kind a: b\u00fc".encode("latin-1"), "RB001"),
        (f"{HEAD}kind a: b".encode("utf-16"), "RB001"),
        (f"{HEAD}kind a: b\0".encode(), "RB003"),
        (b"\0" * 1000, "RB003"),
        (b"(" * 1_000_000, "RB002"),
        (b"#\n" * 1_000_000, "RB002"),
    ],
    ids=str,
)
def test_rejects_unreadable_files(data: bytes, code: str, tmp_path: Path) -> None:
    assert checked(data, tmp_path) == [code]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (define("(" * 200_000), "RB027"),
        (define("(" * 3_000), "RB011"),
        (define("-" * 3_000 + "1"), "RB019"),
        (define("1+" * 1_900 + "1"), "RB019"),
        (define("9" * 3_900), "RB020"),
        ("to rain\n  harvest" + "'s a" * 900, "RB019"),
        ("to rain\n  if yes: stop\n" + "  otherwise if no: stop\n" * 3_000, "RB019"),
        (loops(10), "RB152"),
        (loops(40), "RB152"),
        (loops(300), "RB019"),
        ("spaces cell by x 1 to 30000, y 1 to 30000", "RB152"),
        ("spaces cell by " + ", ".join(f"x{n} 1 to 9" for n in range(300)), "RB152"),
        ("dice d: 1 to 1000000000", "RB152"),
        ("action a(0 to 1000000000 n)\n  stop", "RB152"),
        (f"action a({', '.join(f'spot s{n}' for n in range(300))})\n  stop", "RB152"),
        ("to rain\n  repeat 9999 times:\n    repeat 9999 times: harvest", "RB152"),
        (clauses("knd a{}: b"), "RB006"),
        (clauses("kind a: b{}", 1_000), "RB006"),
        (clauses("to a{}\n  set height to salt", 1_000), "RB006"),
    ],
    ids=lambda text: text[:24],
)
def test_rejects_enormous_texts(text: str, code: str, tmp_path: Path) -> None:
    codes_told = checked(f"{HEAD}{text}\n".encode(), tmp_path)

    assert codes_told[-1] == code
    assert len(codes_told) == (101 if code == "RB006" else 1)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + f"{HEAD}kind a: b\n".encode(),
        f"{HEAD}kind a: b\nto rain\n  harvest\n".replace("\n", "\r\n").encode(),
        f"{HEAD}kind a: b\nto rain\n  harvest".replace("\n", "\r").encode(),
        f"{HEAD}{define('(' * 90 + '1' + ')' * 90)}\n".encode(),
        f"{HEAD}{clauses('kind a{0}: b{0}')}\n".encode(),
        HEAD.encode() + b"# a remark\n" * 20_000,
    ],
    ids=["mark", "windows", "old lines", "brackets", "clauses", "remarks"],
)
def test_accepts_unusual_valid_texts(data: bytes, tmp_path: Path) -> None:
    assert checked(data, tmp_path) == []


def test_rejects_a_huge_number_of_players(tmp_path: Path) -> None:
    text = 'rules language 1\nrulebook house "House"\n  extends camps\n'

    assert checked(f"{text}  players 2 to 999999999\n".encode(), tmp_path) == ["RB152"]
