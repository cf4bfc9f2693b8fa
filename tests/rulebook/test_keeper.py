"""Parsed clauses are not parsed again, and the results are the same."""

from __future__ import annotations

from pathlib import Path
from random import Random

import attrs
import pytest

from rulebook import Desk, examine, quick_check
from rulebook.parse import ClauseCache, ParsedFile, parse
from tests.support.fuzz_texts import mutated, small_files

EDITS = 60


def whole(parsed: ParsedFile) -> object:
    """Return a parsed file with all places, which trees do not compare."""
    return attrs.asdict(parsed)


@pytest.mark.parametrize("seed", range(6))
def test_edits_give_the_same_result_as_a_full_parse(seed: int) -> None:
    numbers, keeper = Random(seed), ClauseCache()
    text = numbers.choice(small_files())
    for _ in range(EDITS):
        new = mutated(numbers, text)
        assert whole(parse(new, "x", keeper)) == whole(parse(new, "x"))
        text = new if len(new) < 2 * len(text) else text


def test_only_changed_clauses_are_parsed(tiny_path: Path) -> None:
    text, keeper = tiny_path.read_text(encoding="utf-8"), ClauseCache()
    parse(text, "x", keeper)
    before = keeper.parsed_count
    assert before > 10
    again = text.replace("\n\n", "\n\n# more\n\n")
    assert again != text
    parse(again, "x", keeper)
    assert keeper.parsed_count == before
    parse(again.replace("\nkind ", "\nkind  ", 1), "x", keeper)
    assert keeper.parsed_count == before + 1


def test_mistakes_move_with_their_clause() -> None:
    keeper = ClauseCache()
    text = 'rules language 1\nrulebook a "A"\n\nkind mood calm\n'
    first = parse(text, "x", keeper).diagnostics
    below = parse("# so\n" + text, "x", keeper).diagnostics
    assert [it.span.line for it in first] == [4]
    assert [it.span.line for it in below] == [5]


def test_the_cache_is_bounded() -> None:
    keeper = ClauseCache(clauses_max=5, files_max=2)
    for number in range(20):
        parse(f'rules language 1\nrulebook a{number} "A"\n', "x", keeper)
        parse(f'rules language 1\nrulebook a{number} "A"\n', "y", keeper)
    parsed = keeper.parsed_count
    parse('rules language 1\nrulebook a19 "A"\n', "x", keeper)
    assert keeper.parsed_count == parsed
    parse('rules language 1\nrulebook a0 "A"\n', "x", keeper)
    assert keeper.parsed_count == parsed + 1


def test_an_open_text_takes_precedence_over_the_file(
    tmp_path: Path, tiny_path: Path
) -> None:
    game = tmp_path / "tiny.rules"
    game.write_text(tiny_path.read_text(encoding="utf-8"), encoding="utf-8")
    house = tmp_path / "house.rules"
    house.write_text("extends tiny\n", encoding="utf-8")
    desk = Desk()
    assert examine(house, desk=desk)[1] == ()
    desk.open[game] = game.read_text(encoding="utf-8") + "\nkind pebble: red\n"
    said = examine(house, desk=desk)[1]
    assert [it.span.file for it in said] == [str(game)]
    desk.open[game] += "\nknd x\n"
    broken = examine(house, desk=desk)[1]
    assert quick_check(house, None, desk, {}) == broken
    assert {it.code for it in broken} == {"RB012"}
    game.unlink()
    assert examine(house, desk=desk)[1] == broken
