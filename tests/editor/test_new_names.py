"""New names in a copy of all shipped files: rules that check, and the same games."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import variants
from interpreter import Game
from rulebook import Desk, Rulebook, Use
from tests.support.names import WORD
from workbench.editor.navigation import NameTables, all_roots
from workbench.editor.rename import FIXED, RESERVED_NAMES, Renaming
from workbench.editor.workspace import FileDiagnostics, Workspace, path_of
from workbench.errors import RequestError

VARIANTS = Path(__file__).parents[2] / "variants"
RENAMED = 4
RENAMED_DEEP = 100
DECISIONS = 200
SEED = 1


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of all shipped files, which is what their names mean."""
    home = tmp_path / "variants"
    shutil.copytree(VARIANTS, home, ignore=shutil.ignore_patterns("*.py", "__*"))
    files = {file.stem: file for file in sorted(home.glob("*/*.rules"))}
    monkeypatch.setattr(variants, "_FILES", files)
    path_of.cache_clear()
    yield home
    path_of.cache_clear()


def test_new_names_leave_the_same_games(copy: Path, deep: bool) -> None:
    """Names by seed: what is found in each root that is touched is what it was, and so
    are the records of those that can be played. What is refused comes on top."""
    space = Workspace((copy,))
    before = {root: found_in(space, root) for root in all_roots(space)}
    read = {root: space.files_read_for(root) for root in before}
    every = {file for files in read.values() for file in files}
    assert not [file for file in every if file.is_relative_to(VARIANTS)]
    tables, renamed, played = NameTables(space), 0, Counter[str]()
    refused: Counter[str] = Counter()
    records = {root: record(book) for root, book in space.books.items()}
    wanted = RENAMED_DEEP if deep else RENAMED
    for use in drawn(tables, copy):
        if renamed == wanted:
            break
        new = f"{use.text}_q"
        place = path_of(use.span.file), use.span.line, use.span.column
        try:
            done = Renaming(space, tables).rename(*place, new)
        except RequestError as error:
            refused[str(error)] += 1
            continue
        renamed += 1
        beside = Workspace((copy,), Desk(dict(done.texts), space.file_cache.keeper))
        for root in [it for it in before if read[it] & done.texts.keys()]:
            assert found_in(beside, root, use.text) == before[root], (use, root)
            if root in records:
                after = back(record(beside.books[root]), use.text)
                assert after == records[root], (use, root)
                played[root.stem] += 1
    assert renamed == wanted
    print(renamed, "renamed", dict(refused), dict(played), sep="\n")  # noqa: T201


def drawn(tables: NameTables, folder: Path) -> list[Use]:
    """All names that files of a folder declare and that may be changed, shuffled."""
    by_place = {
        (path_of(use.span.file), use.span.line, use.span.column): use
        for root in all_roots(tables.space)
        for use in tables.table_of(root).uses.all
        if use.whole is not None
        and use.text not in RESERVED_NAMES
        and use.thing.sort not in FIXED
        if path_of(use.span.file).is_relative_to(folder)
    }
    uses = [by_place[place] for place in sorted(by_place)]
    return Random(SEED).sample(uses, len(uses))


def found_in(space: Workspace, root: Path, old: str | None = None) -> Counter[str]:
    """What is found in a root, with an old name in its words again."""
    mistakes: FileDiagnostics = space.check_and_store(root)
    said = (f"{it.code} {it.message}" for those in mistakes.values() for it in those)
    return Counter(said if old is None else (back(it, old) for it in said))


def back(text: str, old: str) -> str:
    """A text with the old name in its words again."""
    return WORD.sub(lambda word: word[0].replace(f"{old}_q", old), text)


def record(book: Rulebook) -> str:
    """What is done in a game, and what chance does: that is given here, by its place
    among what is possible, for what is drawn by a seed depends on names."""
    game = Game.start(book, chance="given")
    numbers = Random(SEED)
    for _ in range(DECISIONS):
        if game.to_act is None:
            break
        actions = game.legal_actions()
        game.apply(actions[numbers.randrange(len(actions))])
    return "\n".join(game.record.splitlines()[1:])
