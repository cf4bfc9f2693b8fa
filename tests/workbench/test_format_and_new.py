"""`rulebook format` and `rulebook new`."""

import re
from pathlib import Path

import pytest

import rulebook
from interpreter import Game
from tests.support.commands import Output, document_of, errors_of, output_of
from workbench.cli import main
from workbench.files.library.examples import example_names, example_text

UGLY = 'rules language 1\n\n\n# kept\nrulebook  a   "A"\nkind  b : c ,d\n'
TIDY = 'rules language 1\n\n# kept\nrulebook a "A"\nkind b: c, d\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_format_rewrites_the_file_once(here: Path, capsys: Output) -> None:
    Path("a.rules").write_text(UGLY)

    assert main(["format", "a.rules", "--check"]) == 1
    assert Path("a.rules").read_text() == UGLY
    assert main(["format", "a.rules"]) == 0
    assert Path("a.rules").read_text() == TIDY
    document = document_of(capsys, "format", "a.rules", "--check")
    assert document == [{"file": "a.rules", "changed": False}]
    assert [path.name for path in here.iterdir()] == ["a.rules"]


def test_format_skips_a_broken_file(capsys: Output) -> None:
    broken = UGLY + "kind : x\n"
    Path("broken.rules").write_text(broken)
    Path("a.rules").write_text(UGLY)

    assert main(["format", "broken.rules", "a.rules"]) == 1
    assert Path("broken.rules").read_text() == broken
    assert Path("a.rules").read_text() == TIDY
    assert "broken.rules:7" in capsys.readouterr().err


@pytest.mark.parametrize("data", [b"\xff\xfe", b"rules \xe9", b""])
def test_format_rejects_a_file_that_is_not_a_rule_file(data: bytes) -> None:
    Path("a.rules").write_bytes(data)

    assert main(["format", "a.rules"]) == 1
    assert Path("a.rules").read_bytes() == data


def test_format_rejects_a_missing_file() -> None:
    assert main(["format", "nowhere.rules"]) == 2


def test_new_game_is_valid_passes_its_tests_and_can_be_played(capsys: Output) -> None:
    assert main(["new", "my_game"]) == 0

    book = rulebook.load("my_game.rules")
    assert (book.name, book.title) == ("my_game", "My game")
    assert main(["check", "--strict", "my_game.rules"]) == 0
    assert main(["format", "--check", "my_game.rules"]) == 0
    assert main(["test", "my_game.rules", "--games", "5"]) == 0
    assert main(["play", "my_game.rules", "--seat", "all=greedy"]) == 0
    assert " wins (victory)." in capsys.readouterr().out


def test_new_house_rule_equals_its_base_game() -> None:
    assert main(["new", "dear", "--extends", "classic"]) == 0
    assert main(["new", "dearer", "--extends", "dear.rules"]) == 0

    dear, dearer = rulebook_of("dear.rules"), rulebook_of("dearer.rules")
    assert (dear.name, dearer.name) == ("dear", "dearer")
    assert dear.digest == dearer.digest == rulebook_of("classic").digest
    assert Game.start(dearer, players=3, seed=1).to_act is not None


def test_new_house_rule_can_amend_a_game(capsys: Output) -> None:
    said = output_of(capsys, "new", "loose", "--over", "classic")
    assert said.endswith("  rulebook test loose.rules --games 1\n")
    book = rulebook_of("loose.rules")
    assert (book.over, book.digest) == (("classic",), rulebook_of("classic").digest)
    assert book.model.scenarios == ()


def test_new_house_rule_lists_working_commands(capsys: Output) -> None:
    assert main(["new", "loose", "--over", "classic"]) == 0
    assert main(["new", "looser", "--over", "loose.rules"]) == 0
    for name, base in (("loose", "classic"), ("looser", "loose.rules")):
        text = Path(f"{name}.rules").read_text(encoding="utf-8")
        commands = re.findall(r"`rulebook (\w+ \S+)(?: [^`]*)?`", text)
        assert sorted(set(commands)) == [f"options {base}", f"show {base}"]
        capsys.readouterr()
        for command in commands:
            assert main(command.split()) == 0


@pytest.mark.parametrize("name", example_names())
def test_an_example_is_copied(name: str) -> None:
    assert main(["new", name, "--from", name]) == 0
    assert main(["new", "mine", "--from", name]) == 0

    assert Path(f"{name}.rules").read_text() == example_text(name)
    assert rulebook_of("mine.rules").name == "mine"
    assert rulebook_of("mine.rules").digest == rulebook_of(f"{name}.rules").digest


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["new", "x", "--from", "frist"], "did you mean `first`?"),
        (["new", "x", "--from", "zzz"], "available examples: backgammon, breakthrough"),
        (["new", "x", "--from", "first", "--over", "classic"], "not allowed with"),
        (["new", "my game"], "try `my_game`"),
        (["new", "3"], "starts with a letter"),
        (["new", "../up"], "try `up`"),
        (["new", "x", "--extends", "nothing"], "there is no game `nothing`"),
        (["new", "x", "--extends", "germany+classic"], "extends one game"),
    ],
)
def test_new_rejects_invalid_names_and_writes_nothing(
    here: Path, capsys: Output, arguments: list[str], said: str
) -> None:
    assert said in errors_of(capsys, *arguments)
    assert list(here.iterdir()) == []


def test_new_replaces_no_file(capsys: Output) -> None:
    Path("mine.rules").write_text("precious")

    assert main(["new", "mine"]) == 2

    assert Path("mine.rules").read_text() == "precious"
    assert "nothing was changed" in capsys.readouterr().err


def rulebook_of(variant: str) -> rulebook.Rulebook:
    from workbench import load

    return load(variant)
