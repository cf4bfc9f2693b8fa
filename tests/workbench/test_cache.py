"""`rulebook cache` counts and removes cached files, and nothing else."""

from pathlib import Path

import pytest

from rulebook.tooling import is_owned_by_user
from tests.support.commands import Output, document_of, output_of
from workbench.cli import main
from workbench.cli.cache import size_text
from workbench.files.library.cache_folder import KINDS

OURS = {
    "tables-0123456789abcdef.json": "parser tables",
    "new-abcdefg": "left behind",
    "engines/0a-1b.so": "engines",
    "engines/2c-3d.so": "engines",
    "engines/0a.lock": "left behind",
    "engines/new-x": "left behind",
    "engines/zig/o/deep/libc.so.6": "of the compiler",
}
NOT_OURS = ("notes.txt", "engines/notes.txt", "tables/x.json")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a separate cache folder for this test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "rulebook"


def fill(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text("ten bytes!")


def counted(capsys: Output, *arguments: str) -> dict[str, tuple[int, int]]:
    rows = document_of(capsys, "cache", *arguments)["kept"]
    assert isinstance(rows, list)
    return {row["kind"]: (row["files"], row["bytes"]) for row in rows}


def test_cached_files_are_counted_by_kind(folder: Path, capsys: Output) -> None:
    fill(folder, *OURS, *NOT_OURS)

    numbers = {kind: list(OURS.values()).count(kind) for kind in KINDS}
    assert counted(capsys) == {kind: (n, 10 * n) for kind, n in numbers.items()}


def test_only_own_files_are_removed(folder: Path, capsys: Output) -> None:
    fill(folder, *OURS, *NOT_OURS)

    assert set(counted(capsys, "--clear").values()) == {(0, 0)}

    left = {str(path.relative_to(folder)) for path in folder.rglob("*.*")}
    assert left == set(NOT_OURS)


def test_linked_folder_is_left_unchanged(
    folder: Path, tmp_path: Path, capsys: Output
) -> None:
    fill(tmp_path / "work", "mine.so")
    folder.mkdir()
    (folder / "engines").symlink_to(tmp_path / "work")

    assert counted(capsys, "--clear")["engines"] == (0, 0)

    assert (tmp_path / "work" / "mine.so").exists()


def test_prints_lines_for_people(folder: Path, capsys: Output) -> None:
    assert output_of(capsys, "cache").splitlines()[:2] == [
        str(folder),
        "  empty",
    ]
    assert not folder.exists()  # listing creates no folder
    fill(folder, *OURS)
    (folder / "engines").chmod(0o777)

    lines = output_of(capsys, "cache").splitlines()
    assert "  parser tables        1 file    10 bytes" in lines
    assert "  engines             2 files    20 bytes" in lines
    assert not is_owned_by_user(folder / "engines")
    assert lines[-1].startswith(
        ("native engines are not cached", "native engines cannot")
    )


def test_without_a_compiler_it_says_why(
    folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no_such_compiler")

    said = document_of(capsys, "cache")
    assert main(["cache"]) == 0

    assert said["compiler"] is None
    assert "no_such_compiler, which does not exist" in str(said["reason"])
    assert f"cannot be built: {said['reason']}" in capsys.readouterr().out
    assert said["folder"] == str(folder)


def test_has_no_cache_folder_without_a_home_folder(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> Path:
        raise RuntimeError("there is no home")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", none)

    assert document_of(capsys, "cache", "--clear")["folder"] is None
    assert "there is no home" in output_of(capsys, "cache")


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0 bytes"), (999, "999 bytes"), (1234, "1.23 kB"), (58_600_000, "58.6 MB")],
)
def test_sizes_are_readable(number: int, said: str) -> None:
    assert size_text(number) == said
