"""`rulebook format --upgrade`."""

import json
import shutil
from pathlib import Path

import pytest

from workbench.cli import main

Output = pytest.CaptureFixture[str]
CORPUS = Path(__file__).parents[1] / "corpus"
OLD, NEW = "pasture.rules", (CORPUS / "0.1.0/pasture.upgraded").read_text("utf-8")
LOOK = 'rules language 1\nlook of shore\n\nhint colour board: "#101010"\n'
SHORE = 'rules language 1\nrulebook shore "S"\n  extends pasture\n  comes with look\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(CORPUS / "0.1.0" / OLD, OLD)
    return tmp_path


def test_a_file_is_upgraded_with_a_report(here: Path, capsys: Output) -> None:
    assert main(["format", "--upgrade", OLD]) == 0

    assert Path(OLD).read_text() == NEW
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.splitlines()[:3] == [
        f"{OLD}:39: name-every (since 0.2.0)",
        "-     every(1)",
        "+     every_2(1)",
    ]
    assert said.out.splitlines()[-1] == f"{OLD}: upgraded"
    assert [path.name for path in here.iterdir()] == [OLD]


def test_an_upgraded_file_stays_as_it_is(capsys: Output) -> None:
    Path(OLD).write_text(NEW)

    assert main(["format", "--upgrade", "--check", OLD]) == 0
    assert capsys.readouterr().out == ""


def test_check_writes_nothing(capsys: Output) -> None:
    before = Path(OLD).read_bytes()

    assert main(["format", "--upgrade", "--check", OLD]) == 1
    assert Path(OLD).read_bytes() == before
    assert capsys.readouterr().out.splitlines()[-1] == f"{OLD}: would be upgraded"


def test_errors_that_remain_are_reported_and_the_rest_is_written(
    capsys: Output,
) -> None:
    Path(OLD).write_text(Path(OLD).read_text() + "\nto sink\n  set gloom to 3\n")

    assert main(["format", "--upgrade", "--json", OLD, f"./{OLD}"]) == 1
    assert Path(OLD).read_text() == f"{NEW}\nto sink\n  set gloom to 3\n"
    said = capsys.readouterr()
    (row,) = json.loads(said.out)
    assert [error["message"] for error in row["errors"]] == ["unknown name `gloom`"]
    assert (row["file"], row["changed"]) == (OLD, True)
    assert row["rewrites"][2] == {
        "rewrite": "stack-end",
        "since": "0.2.0",
        "line": 31,
        "old": [
            "  move up to 2 wool from store to bottom of market   # a bag has no bottom"
        ],
        "new": ["  move up to 2 wool from store to market   # a bag has no bottom"],
    }
    assert "unknown name `gloom`" in said.err
    assert "set gloom to 3" in said.err


def test_a_file_that_is_not_listed_is_named_and_not_written(capsys: Output) -> None:
    before = Path(OLD).read_bytes()
    Path("shore.rules").write_text(SHORE.replace("  comes with look\n", ""))

    assert main(["format", "--upgrade", "shore.rules"]) == 1
    assert Path(OLD).read_bytes() == before
    assert f"note: {OLD} was not upgraded; list it as well" in capsys.readouterr().err


def test_a_companion_is_checked_with_its_game() -> None:
    shutil.copy(CORPUS / "0.1.0" / "first.rules", "first.rules")
    Path("shore.rules").write_text(SHORE.replace("pasture", "first"))
    Path("shore.look.rules").write_text(LOOK)

    assert main(["format", "--upgrade", "shore.look.rules"]) == 0
    assert Path("shore.look.rules").read_text() == LOOK.replace(
        "colour board", "board colour"
    )


def test_no_file_is_written_if_one_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(OLD, "other.rules")
    before = Path(OLD).read_bytes()

    def refuse(path: Path) -> None:
        if path.name == "other.rules":
            raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("workbench.cli.rules.format.check_writable", refuse)

    assert main(["format", "--upgrade", OLD, "other.rules"]) == 2
    assert Path(OLD).read_bytes() == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("-", "list all files of the game"),
        ("nowhere.rules", "No such file"),
        ("bytes.rules", "is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_rejected(
    name: str, said: str, capsys: Output
) -> None:
    Path("bytes.rules").write_bytes(b"rules \xe9")
    before = Path(OLD).read_bytes()

    assert main(["format", "--upgrade", OLD, name]) in (1, 2)
    assert said in capsys.readouterr().err
    assert Path(OLD).read_bytes() == before
