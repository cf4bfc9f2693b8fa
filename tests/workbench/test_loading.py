"""Loading of a book for a VARIANT."""

from pathlib import Path

import pytest

import variants
from interpreter import Game
from rulebook import RulesError
from workbench import load
from workbench.cli import main
from workbench.errors import RequestError

HEAD = 'rules language 1\nrulebook house "House"\n  extends {}\n'
HOUSE = HEAD.format("tiny") + "replace option goal (1 to 9): {}\n"


@pytest.fixture
def folder(tmp_path: Path, tiny_path: Path) -> Path:
    (tmp_path / "tiny.rules").write_text(tiny_path.read_text())
    (tmp_path / "short.rules").write_text(HOUSE.format(1))
    (tmp_path / "long.rules").write_text(HOUSE.format(9))
    return tmp_path


def test_every_shipped_game_loads() -> None:
    for name in variants.names():
        assert load(name).name == name


def test_file_finds_files_in_its_folder(folder: Path) -> None:
    house, game = load(str(folder / "short.rules")), load(str(folder / "tiny.rules"))

    assert house.digest != game.digest
    assert list(house.options) == list(game.options)


def test_house_rules_are_applied_from_left_to_right(
    folder: Path, tiny_path: Path
) -> None:
    extra = folder / "extra.rules"
    extra.write_text(
        "rules language 1\nin action toss\n"
        '  add needs many: number of pebble in your pouch >= 2 "keep one"\n'
    )

    joined = load(f"{tiny_path}+{extra}")

    assert joined.digest != load(str(tiny_path)).digest
    labels = [need.label for need in joined.model.actions["toss"].requirements]
    assert labels[-1] == "many"


def test_extending_a_shipped_game_from_anywhere(tmp_path: Path) -> None:
    house = tmp_path / "house.rules"
    for name in variants.names():
        house.write_text(HEAD.format(name))

        assert load(str(house)).players == load(name).players


@pytest.mark.parametrize(
    "variant", ["", "+", "no_such", "a/b.rules", "tiny+", "x.rules"]
)
def test_rejects_an_unknown_variant(variant: str) -> None:
    with pytest.raises(RequestError):
        load(variant)


def test_a_missing_base_is_a_diagnostic(tmp_path: Path) -> None:
    house = tmp_path / "house.rules"
    house.write_text(HEAD.format("nowhere"))

    with pytest.raises(RulesError) as caught:
        load(str(house))

    assert "nowhere" in caught.value.diagnostics[0].message


def test_misspelt_base_gets_a_suggestion(tmp_path: Path) -> None:
    name = variants.names()[0]
    path = tmp_path / "house.rules"
    path.write_text(f"extends {name[:-1]}\n")

    with pytest.raises(RulesError) as caught:
        load(str(path))

    assert caught.value.diagnostics[0].help == f"did you mean `{name}`?"


def test_places_have_short_names_of_shipped_files_and_paths_of_others(
    working_folder: Path,
) -> None:
    (working_folder / "houses").mkdir()
    (working_folder / "houses" / "mine.rules").write_text("extends theirs\n")
    (working_folder / "houses" / "theirs.rules").write_text("extends germany\n")

    shipped = {*load("germany").files}

    assert {"germany.rules", "common.rules"} <= shipped
    assert not any("/" in name for name in shipped)
    assert set(load("houses/mine.rules").files) == {
        "houses/mine.rules",
        "houses/theirs.rules",
        *shipped,
    }


def test_every_command_takes_a_list(
    folder: Path, tiny_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "keep.rules").write_text(
        'rules language 1\nrulebook keep "Keep one"\n  over tiny\n\nin action toss\n'
        '  add needs many: number of pebble in your pouch >= 2 "keep one"\n'
    )
    monkeypatch.chdir(folder)
    both = "tiny.rules+keep.rules+short.rules"
    played = ["play", both, "--seat", "all=random", "--record", "game.jsonl"]

    for line in (
        *(["check", both], ["options", both], ["show", both, "toss"]),
        *(["test", both, "--games", "1"], ["simulate", both, "--games", "1"]),
        *(played, ["replay", "game.jsonl"]),
    ):
        assert main(line) == 0, line

    assert load(both).digest == load("tiny.rules+short.rules+keep.rules").digest


def test_rejects_a_house_rule_without_its_game(folder: Path, tiny_path: Path) -> None:
    house = folder / "other.rules"
    house.write_text(
        'rules language 1\nrulebook other "Other"\n  over nowhere, nobody\n'
    )

    with pytest.raises(RulesError) as caught:
        load(f"{tiny_path}+{house}")

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RB168"
    assert "`nowhere` or `nobody`" in diagnostic.message


def test_house_rule_over_a_house_rule_includes_the_base_game(
    folder: Path, tiny_path: Path
) -> None:
    (folder / "tiny.rules").write_text(tiny_path.read_text("utf-8"), "utf-8")
    for name, below, goal in (("near", "tiny", 4), ("nearer", "near", 5)):
        (folder / f"{name}.rules").write_text(
            f'rules language 1\nrulebook {name} "{name}"\n  over {below}\n\n'
            f'replace option goal (1 to 9): {goal}  "points that win"\n',
            "utf-8",
        )
    alone = load(str(folder / "nearer.rules"))
    first, *others = (str(folder / f"{n}.rules") for n in ("tiny", "near", "nearer"))

    assert Game.start(alone, players=2).options["goal"] == 5
    assert alone.digest == load("+".join((first, *others))).digest


LAID = 'rules language 1\nrulebook calm "Calm"\n  over germany, classic\n'


@pytest.mark.parametrize(
    ("variant", "help"),
    [
        ("calm.rules+classic", "put the game first: `classic+calm.rules`"),
        ("calm.rules+germany", "put the game first: `germany+calm.rules`"),
        ("house/calm.rules+base", "put the game first: `germany+house/calm.rules`"),
    ],
)
def test_a_help_names_files_as_they_were_typed(
    working_folder: Path, variant: str, help: str
) -> None:
    for folder in (working_folder, working_folder / "house"):
        folder.mkdir(exist_ok=True)
        (folder / "calm.rules").write_text(LAID, encoding="utf-8")

    with pytest.raises(RulesError) as caught:
        load(variant)

    assert [diagnostic.help for diagnostic in caught.value.diagnostics] == [help]


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("germany+calm.rules+calm.rules", "calm.rules is listed twice"),
        (
            "germany+calm.rules+house/calm.rules",
            "calm.rules and house/calm.rules have the same name",
        ),
    ],
)
def test_files_with_the_same_name_are_reported(
    working_folder: Path, variant: str, said: str
) -> None:
    for folder in (working_folder, working_folder / "house"):
        folder.mkdir(exist_ok=True)
        (folder / "calm.rules").write_text(LAID, encoding="utf-8")

    with pytest.raises(RequestError, match=said):
        load(variant)


def test_quotes_the_text_that_was_read(
    working_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("classic.rules").write_text("LOCAL AND NEVER READ\n" * 999)
    Path("mine.rules").write_text(
        'rules language 1\nrulebook mine "Mine"\n  over classic\n\n'
        "to lay_tokens_in_order\n  stop\n"
    )
    for command in ("check", "show", "options"):
        assert main([command, "classic+mine.rules"]) == 1

        said = "".join(capsys.readouterr())
        assert "is declared twice" in said
        assert "first declared here" in said
        assert "LOCAL" not in said
        assert said.count("| to lay_tokens_in_order") == 2
