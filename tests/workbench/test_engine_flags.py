"""`--engine` of `perft` and `play`: both engines give the same counts and games."""

import json
from pathlib import Path

import pytest

from interpreter.native.build import compilers
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.compilers import c_compiler
from workbench.cli import main
from workbench.cli.analysis import perft

Output = pytest.CaptureFixture[str]
EXAMPLES = Path(__file__).parents[2] / "examples"
DARE = str(EXAMPLES / "tiny" / "dare.rules")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a separate cache folder for this test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def a_compiler() -> None:
    """Skip the test if no engine can be compiled."""
    if isinstance(c_compiler(), BuildFailure):
        pytest.skip("there is no compiler here")


def counted(capsys: Output, *words: str) -> tuple[list[int], list[str], str]:
    """Return the leaves by depth, the engines that counted them, and standard error."""
    capsys.readouterr()
    assert main(["perft", *words, "--json"]) == 0
    out, err = capsys.readouterr()
    rows = json.loads(out)
    return [row["leaves"] for row in rows], [row["engine"] for row in rows], err


@pytest.mark.usefixtures("a_compiler")
@pytest.mark.parametrize("game", sorted(EXAMPLES.glob("tiny/*.rules")), ids=str)
@pytest.mark.parametrize("plies", ["decisions", "turns"])
@pytest.mark.parametrize("chance", [[], ["--seed", "4"]], ids=["given", "drawn"])
def test_perft_counts_the_same(
    game: Path, plies: str, chance: list[str], capsys: Output
) -> None:
    words = [str(game), "--depth", "2", "--plies", plies, *chance]
    native = counted(capsys, *words, "--engine", "native")
    reference = counted(capsys, *words, "--engine", "reference")
    assert native == (reference[0], ["native"] * 2, "")
    assert reference[1] == ["reference"] * 2


@pytest.mark.usefixtures("a_compiler")
def test_perft_uses_the_native_engine_for_many_leaves(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perft, "NATIVE_MIN_LEAVES", 8)
    expected, *_ = counted(capsys, DARE, "--depth", "5", "--engine", "reference")
    assert expected[0] < 8 < expected[2]
    leaves, engines, err = counted(capsys, DARE, "--depth", "5")
    assert (leaves, err) == (expected, "")
    changed = engines.index("native")
    assert engines == ["reference"] * changed + ["native"] * (5 - changed)
    assert expected[changed - 1] > 8


def test_perft_reports_a_missing_compiler_once(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perft, "NATIVE_MIN_LEAVES", 8)
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(compilers, "find_spec", lambda _name: None)
    leaves, engines, err = counted(capsys, DARE, "--depth", "5")
    assert len(leaves) == 5
    assert set(engines) == {"reference"}
    assert err.count("note: using the interpreter: the native engine cannot") == 1
    assert main(["perft", DARE, "--depth", "1", "--engine", "native"]) == 1
    assert "the native engine cannot play this" in capsys.readouterr().err
    assert main(["play", DARE, "--seat", "all=random", "--engine", "native"]) == 1


@pytest.mark.usefixtures("a_compiler")
def test_play_plays_the_same_game(tmp_path: Path, capsys: Output) -> None:
    path = str(EXAMPLES / "first" / "first.rules")
    words = ["play", path, "--seat", "all=random", "--seed", "3", "--bot-seed", "4"]
    shown, records = [], []
    for engine in ("native", "reference"):
        record = tmp_path / f"{engine}.jsonl"
        capsys.readouterr()
        assert main([*words, "--engine", engine, "--record", str(record)]) == 0
        shown.append(capsys.readouterr().out)
        records.append(record.read_bytes())
    assert shown[0].replace("native.jsonl", "reference.jsonl") == shown[1]
    assert records[0] == records[1]
    assert b'"end"' in records[0]


@pytest.mark.usefixtures("a_compiler")
def test_record_is_continued_by_the_native_engine(
    tmp_path: Path, capsys: Output
) -> None:
    path = str(EXAMPLES / "first" / "first.rules")
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    words = ["--seat", "all=random", "--engine", "native"]
    seeds = ["--seed", "3", "--bot-seed", "4"]
    assert main(["play", path, *words, *seeds, "--record", str(whole)]) == 0
    lines = whole.read_text().splitlines(keepends=True)
    part.write_text("".join(lines[:20]))
    assert main(["play", "--resume", str(part), *words]) == 0
    assert part.read_text().splitlines()[:20] == [line.strip() for line in lines[:20]]
    assert '"end"' in part.read_text()
    capsys.readouterr()
    assert main(["replay", str(part)]) == 0
