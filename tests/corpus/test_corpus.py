"""Rule files of earlier versions are upgraded and mean the same.

Each version has a folder with its rule files as released. `create.py` makes a folder.
The records next to games were written by the engine of that version.
"""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from interpreter import Game
from rulebook import Desk, quick_check
from rulebook.tooling import REWRITES, Rewrite, Upgrade
from tests.corpus.create import SEPARATOR
from workbench.files.file_upgrade import upgrade_files
from workbench.files.library.loading import load, shipped_text

HERE = Path(__file__).parent
VERSIONS = sorted(path.name for path in HERE.iterdir() if path.name[0].isdigit())
GAMES = [
    f"{version}/{path.stem}"
    for version in VERSIONS
    for path in sorted((HERE / version).glob("*.jsonl"))
]
UPGRADED = [
    f"{path.parent.name}/{path.stem}" for path in sorted(HERE.glob("*/*.upgraded"))
]
"""Games with the expected text of their upgrade."""

CHANGELOG = (HERE.parents[1] / "CHANGELOG.md").read_text(encoding="utf-8")


def files_of(game: Path) -> list[Path]:
    """Return the files of a game in its folder."""
    texts: dict[str, str] = {}
    quick_check(game, shipped_text, Desk(), texts)
    return [Path(file) for file in texts if Path(file).parent == game.parent]


@cache
def upgrade_of(game: str, without: str = "") -> Upgrade:
    """Return the upgrade of a game and its files, without the rewrite of a name."""
    rewrites = [rewrite for rewrite in REWRITES if rewrite.name != without]
    return upgrade_files(files_of(HERE / f"{game}.rules"), rewrites)


def write_upgraded(game: str, folder: Path) -> Path:
    """Write the upgraded files of a game to a folder; return the game's path."""
    for file, text in upgrade_of(game).texts.items():
        (folder / Path(file).name).write_text(text, encoding="utf-8")
    return folder / f"{Path(game).name}.rules"


def recorded(game: str) -> tuple[dict[str, str], str]:
    """Return the header of a game's record, and the record."""
    record = (HERE / f"{game}.jsonl").read_text(encoding="utf-8")
    return json.loads(record.splitlines()[0]), record


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_upgraded_and_plays_its_record(game: str, tmp_path: Path) -> None:
    assert [str(error) for error in upgrade_of(game).remaining] == []

    book = load(str(write_upgraded(game, tmp_path)))
    header, record = recorded(game)
    replayed = Game.replay(record, book)
    assert replayed.record.splitlines()[1:] == record.splitlines()[1:]
    if not upgrade_of(game).applied:
        assert header["digest"] in (book.digest, book.first_digest)


@pytest.mark.parametrize("game", GAMES)
def test_an_upgraded_game_is_not_upgraded_again(game: str, tmp_path: Path) -> None:
    path = write_upgraded(game, tmp_path)

    assert upgrade_files(files_of(path)).applied == ()


@pytest.mark.parametrize("game", UPGRADED)
def test_only_the_refused_words_change(game: str) -> None:
    texts = upgrade_of(game).texts

    expected = (HERE / f"{game}.upgraded").read_text(encoding="utf-8")
    assert texts[str(HERE / f"{game}.rules")] == expected


@pytest.mark.parametrize("rewrite", REWRITES, ids=lambda rewrite: rewrite.name)
def test_each_rewrite_is_needed(rewrite: Rewrite) -> None:
    """Without it, the upgraded text of a game is not as expected."""
    games = [
        game
        for game in UPGRADED
        if any(x.rewrite == rewrite.name for x in upgrade_of(game).applied)
    ]

    assert games, "no upgraded file of the corpus needs it"
    assert all(version_of(game) < as_numbers(rewrite.since) for game in games)
    for game in games:
        assert upgrade_of(game, without=rewrite.name).texts != upgrade_of(game).texts


def version_of(game: str) -> tuple[int, ...]:
    """Return the version that a game of the corpus belongs to."""
    return as_numbers(game.partition("/")[0])


def as_numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version."""
    return tuple(map(int, version.split(".")))


HEADER = re.compile(
    r"(?:rulebook|board) (?P<game>\w+)|(?P<theme>theme) (?P<name>\w+)"
    r"|(?:words )?(?P<sort>\w+) of (?P<of>\w+)\n"
)


def file_name(text: str, number: int) -> str:
    """Return the name of the file for an example of the reference."""
    match = HEADER.search(text.split("\n\n", maxsplit=1)[0] + "\n")
    if match is None or match["game"] == "example":
        return f"example_{number}.rules"
    if match["theme"]:
        return f"{match['name']}.theme.rules"
    if match["of"]:
        return f"{match['of']}.{match['sort']}.rules"
    return f"{match['game']}.rules"


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_the_examples_of_the_reference_are_upgraded(
    version: str, tmp_path: Path
) -> None:
    reference = (HERE / version / "reference.rules-test").read_text(encoding="utf-8")
    village = (HERE / version / "village.rules").read_text(encoding="utf-8")
    examples = {
        file_name(text, number): text
        for number, text in enumerate([village, *reference.split(SEPARATOR)])
    }
    for name, text in examples.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    wrong = [
        f"{name}: {error}"
        for name in examples
        for error in upgrade_files([tmp_path / name]).remaining
    ]
    assert wrong == []


def test_each_released_version_has_a_corpus() -> None:
    released = re.findall(r"^## (\d\S*) - ", CHANGELOG, re.MULTILINE)

    assert sorted(released) == VERSIONS
