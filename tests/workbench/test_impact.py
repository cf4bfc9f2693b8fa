"""`rulebook impact` compares recorded games with changed rules, and names the cause.

Changes are planted in the rules of games that are played here. The command must find
each of them and name its clause.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulebook import Rulebook, loads
from tests.support.commands import Output, document_of, output_of
from workbench.analysis.impact.blame import minimal_subset
from workbench.analysis.impact.corpus import find_records
from workbench.analysis.impact.rule_changes import HEADER, ORDER, RuleChanges
from workbench.analysis.impact.table_differences import ABSENT, leaf_differences
from workbench.cli import main
from workbench.files.library.loading import load

Ask = Callable[..., dict[str, Any]]

DARE = Path(__file__).parents[2] / "examples" / "tiny" / "dare.rules"
TEXT = DARE.read_text(encoding="utf-8")
HEAD = 'rules language 1\nrulebook planted "Planted"\n  over {game}\n'


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Return a function that plays games of a variant once, and returns their
    folder.
    """
    there: dict[str, str] = {}

    def of(variant: str, games: int, *more: str) -> str:
        if variant not in there:
            folder = str(tmp_path_factory.mktemp("corpus"))
            given = ["--games", str(games), "--records", folder, *more]
            assert main(["simulate", variant, "--engine", "reference", *given]) == 0
            there[variant] = folder
        return there[variant]

    return of


@pytest.fixture
def ask(capsys: Output) -> Ask:
    """Return a function that runs `impact --json` and returns the document."""

    def asked(before: str, after: str, corpus: str, *more: str) -> Any:
        given = ["impact", before, after, "--corpus", corpus, *more]
        return document_of(capsys, *given)

    return asked


@pytest.fixture
def planted(tmp_path: Path) -> Callable[[str, str], str]:
    """Return a function that adds an amendment to a game as a house rule."""

    def over(game: str, amendment: str) -> str:
        path = tmp_path / "planted.rules"
        path.write_text(HEAD.format(game=game) + amendment)
        return f"{game}+{path}"

    return over


@pytest.fixture
def changed(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes the tiny game with some words replaced."""

    def of(*words: tuple[str, str], name: str = "changed") -> str:
        text = TEXT
        for old, new in words:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        path = tmp_path / f"{name}.rules"
        path.write_text(text.partition("\nscenario")[0] + "\n")
        return str(path)

    return of


# ---------------------------------------------------------------- planted changes

GERMANY = ("germany", 2, "--max-turns", "24")

EXTRA_CARD = """
in setup
  replace step first_player:
    chance chooses player starter
    starter starts
    move up to 1 ore from bank to starter's hand
"""
PLANTED: dict[str, tuple[tuple[Any, ...], str, str, set[str]]] = {
    "a road costs one card more": (
        GERMANY,
        "replace cost road: 2 brick, 1 lumber\n",
        "cost.road",
        {"refused", "effect"},
    ),
    "the pawn may stay": (
        GERMANY,
        "in action move_robber\n  remove needs elsewhere\n",
        "action.move_robber",
        {"choices"},
    ),
    "the first player has an extra card": (
        GERMANY,
        EXTRA_CARD,
        "setup",
        {"effect"},
    ),
    "an award is worth 3": (
        ("classic", 2),
        "in points\n  replace longest_road: 3 if longest_road's holder = player\n",
        "points",
        {"effect"},
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_change_is_found_and_its_clause_is_named(
    name: str,
    corpora: Callable[..., str],
    planted: Callable[[str, str], str],
    ask: Ask,
) -> None:
    (game, *settings), amendment, clause, kinds = PLANTED[name]

    told = ask(game, planted(game, amendment), corpora(game, *settings))

    assert [change["clause"] for change in told["changes"]] == [clause]
    assert {row["kind"] for row in told["rows"]} <= kinds
    assert all(row["clauses"] == [clause] for row in told["rows"])
    assert sum(row["games"] for row in told["rows"]) == told["games"] == 2
    assert told["holds"] == (2 if kinds == {"choices"} else 0)


def test_the_same_rules_change_nothing(corpora: Callable[..., str], ask: Ask) -> None:
    told = ask(str(DARE), str(DARE), corpora(str(DARE), 6))

    assert (told["holds"], told["otherwise"], told["rows"]) == (6, 0, [])
    assert told["changes"] == []


# ---------------------------------------------------------------- allowed differences

NOT_LOW = ("action lay_aside\n", 'action lay_aside\n  needs low: die < 3 "not now"\n')
FEWER_SIDES, MORE_SIDES = ("1 to 3", "1 to 2"), ("1 to 3", "1 to 4")
STRICT = ("worth <= die", "worth < die")
EARLIER = ("deck is empty:", "number of deck < 2:")
NOBODY = ("> right's points: left wins", "> right's points: nobody wins")
RIGHT = ("left starts", "right starts")
ALONE = (("players 2 to 2", "players 3 to 3"), ("left, right\n", "left, right, mid\n"))
WAIT = (
    ("you do dare_it, lay_aside", "you do dare_it, lay_aside, wait"),
    ("turn\n", "action wait\n  discard top card from deck\n\nturn\n"),
)
DIFFERENT: dict[str, tuple[tuple[tuple[str, str], ...], list[str], str]] = {
    "refused": ((NOT_LOW,), ["action.lay_aside"], "lay_aside is not legal: not now"),
    "effect": ((STRICT,), ["action.dare_it"], "has a different effect: player."),
    "chance": ((FEWER_SIDES,), ["dice.die"], "`play` cannot be [3]"),
    "end": ((EARLIER,), ["rule.finish"], "the game ends here: "),
    "end, by another result": ((NOBODY,), ["rule.finish"], "the game ends here: "),
    "odds": ((MORE_SIDES,), ["dice.die"], "[1] has probability 1/4, not 1/3"),
    "choices": (WAIT, ["phase.play", "action.wait"], "left can also wait"),
    "start": (ALONE, [HEADER], "needs 3 players, not 2"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_each_kind_of_difference_is_reported_with_its_clauses(
    name: str, corpora: Callable[..., str], changed: Callable[..., str], ask: Ask
) -> None:
    words, clauses, sentence = DIFFERENT[name]
    kind = name.partition(",")[0]

    told = ask(str(DARE), changed(*words), corpora(str(DARE), 6))

    row = next(row for row in told["rows"] if row["kind"] == kind)
    assert sorted(row["clauses"]) == sorted(clauses)
    assert sentence in row["example"]["sentence"]
    same = [game for game in told["records"] if game["difference"] is not None]
    same = [game for game in same if game["difference"]["kind"] == kind]
    assert row["games"] == len(same)
    assert row["earliest"] == min(game["difference"]["event"] for game in same)
    assert told["holds"] == sum(game["holds"] for game in told["records"])


def test_game_is_the_same_up_to_the_reported_step(
    corpora: Callable[..., str], changed: Callable[..., str], ask: Ask, capsys: Output
) -> None:
    rules = changed(STRICT)
    told = ask(str(DARE), rules, corpora(str(DARE), 6))
    example = told["rows"][0]["example"]

    def position(step: int, *by: str) -> dict[str, Any]:
        main(["replay", example["record"], "--at", str(step), "--json", *by])
        replayed: dict[str, Any] = json.loads(capsys.readouterr().out)
        return {name: replayed["position"][name] for name in ("game", "player")}

    before, after = example["step"] - 1, example["step"]
    own = ("--rules", str(DARE))
    assert position(before, *own) == position(before, "--rules", rules)
    assert position(after, *own) != position(after, "--rules", rules)


def test_alternative_causes_are_reported(
    corpora: Callable[..., str], changed: Callable[..., str], ask: Ask
) -> None:
    twice = ("  worth: sum", "  more: 1\n  worth: sum"), RIGHT
    told = ask(str(DARE), changed(*twice), corpora(str(DARE), 6))

    (row,) = told["rows"]
    assert (row["clauses"], row["also"]) == (["setup"], ["points"])


def test_a_clause_that_makes_another_difference_is_not_named(
    corpora: Callable[..., str], changed: Callable[..., str], ask: Ask
) -> None:
    told = ask(str(DARE), changed(MORE_SIDES, RIGHT), corpora(str(DARE), 6))

    (row,) = told["rows"]
    assert (row["kind"], row["clauses"], row["also"]) == ("effect", ["setup"], [])


def test_smallest_set_of_causing_changes_is_named() -> None:
    names = tuple(map(str, range(40)))
    asked: list[int] = []

    def makes(some: Any) -> bool:
        asked.append(len(some))
        return {"3", "17", "31"} <= set(some)

    assert minimal_subset(names, makes) == ("3", "17", "31")
    assert len(asked) < 80


def test_unset_option_takes_the_new_default(
    tmp_path: Path, capsys: Output, ask: Ask
) -> None:
    option = 'option limit (2 to 9): {} "turns"\n\nsetup\n'
    rules = {}
    for usual in (3, 9):
        text = TEXT.partition("\nscenario")[0].replace("setup\n", option.format(usual))
        text = text.replace("deck is empty:", "deck is empty or turn_count >= limit:")
        text = text.replace(
            "game has\n", "game has\n  turn_count: 0 to 9, seen by all\n"
        )
        text = text.replace(
            "roll die", "if turn_count < 9: increase turn_count by 1\n    roll die"
        )
        path = tmp_path / f"{usual}.rules"
        path.write_text(text + "\n")
        rules[usual] = str(path)
    for name, more in {"open": [], "chosen": ["--option", "limit=4"]}.items():
        records = ["--records", str(tmp_path / name), "--games", "2"]
        assert main(["simulate", rules[3], *records, *more]) == 0

    left_open = ask(rules[3], rules[9], str(tmp_path / "open"))
    assert left_open["rows"][0]["clauses"] == ["option.limit"]
    assert left_open["holds"] == 0
    assert ask(rules[3], rules[9], str(tmp_path / "chosen"))["holds"] == 2


# ---------------------------------------------------------------- changes and tables


def book(text: str) -> Rulebook:
    return loads(text.partition("\nscenario")[0] + "\n", "tiny.rules")


def test_comments_citations_and_tests_are_not_changes() -> None:
    other = TEXT.replace("# Roll", "# Throw").replace("omen copies", "omen  copies")
    other = other.replace("  shuffle deck", '  shuffle deck  ["Rules"]').replace(
        "players 2 to 2", 'players 2 to 2\n  source en "Rules" in en'
    )

    assert RuleChanges(loads(TEXT, "a.rules"), book(other)).names == ()


def test_phases_in_another_order_are_a_change() -> None:
    two = TEXT.replace("    you do dare", "  phase then\n    you do dare")
    turned = two.replace("phase play\n    roll die", "phase then\n    X").replace(
        "phase then\n    you do dare_it, lay_aside", "phase play\n    roll die"
    )
    turned = turned.replace("    X", "    you do dare_it, lay_aside")
    mine, theirs = book(two), book(turned)
    changes = RuleChanges(mine, theirs)

    assert changes.names == (ORDER,)
    turned_book = changes.book_with([ORDER])
    assert turned_book is not None and turned_book.digest == theirs.digest
    none = changes.book_with([])
    assert none is not None and none.digest == mine.digest


def test_all_changes_together_are_the_other_rules() -> None:
    mine, theirs = load("classic"), load("classic+fifteen_points+friendly_robber")
    changes = RuleChanges(mine, theirs)

    whole = changes.book_with(changes.names)
    assert whole is not None and whole.digest == theirs.digest
    assert len(changes.names) > 2


def test_change_is_located_at_the_added_or_removed_line(
    changed: Callable[..., str],
) -> None:
    path = changed(NOT_LOW)
    changes = RuleChanges(book(TEXT), load(path))
    line = Path(path).read_text().splitlines().index('  needs low: die < 3 "not now"')

    assert changes.place("action.lay_aside") == (path, line + 1)
    back = RuleChanges(load(path), book(TEXT))
    assert back.place("action.lay_aside") == (path, line + 1)
    gone, new = back.lines("action.lay_aside")
    assert [line.text for line in gone] == ['needs low: die < 3 "not now"']
    assert new == ()
    strict = RuleChanges(book(TEXT), load(changed(STRICT, name="strict")))
    place = strict.place("action.dare_it")
    assert place is not None and Path(place[0]).stem == "strict"


@pytest.mark.parametrize(
    ("mine", "theirs", "paths"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, [("a", "b")]),
        ({"a": 1}, {}, [("a",)]),
        ({"a": 0}, {}, []),
        ({}, {"a": {"b": 0, "c": 1}}, [("a", "c")]),
        ({"a": None}, {"a": 0}, [("a",)]),
        ({"a": "endless"}, {"a": {"b": 1}}, []),
        ({"a": [1, 2]}, {"a": [1, 3]}, [("a", "1")]),
        ({"a": [1]}, {"a": [1, 3]}, [("a",)]),
    ],
)
def test_tables_differ_where_values_differ(
    mine: Any, theirs: Any, paths: list[Any]
) -> None:
    assert [path for path, _, _ in leaf_differences(mine, theirs)] == paths
    assert all(ABSENT not in values for _, *values in leaf_differences(mine, theirs))


def test_part_known_only_to_the_new_rules_counts_once_it_changes(
    corpora: Callable[..., str], changed: Callable[..., str], ask: Ask
) -> None:
    luck = ("  won: bag", "  luck: 0 to 9, seen by all, starts at 5\n  won: bag")
    idle = ask(str(DARE), changed(luck), corpora(str(DARE), 6))
    assert (idle["holds"], idle["rows"]) == (6, [])

    spent = ("you do dare_it,", "set left's luck to 4\n    you do dare_it,")
    used = ask(str(DARE), changed(luck, spent), corpora(str(DARE), 6))
    assert used["holds"] == 0
    (row,) = used["rows"]
    assert sorted(row["clauses"]) == ["phase.play", "player.luck"]
    assert "player.left.luck is 4, not 5" in row["example"]["sentence"]


# ---------------------------------------------------------------- corpora


def mixed(folder: Path, corpus: str) -> Path:
    """Return a folder with records and various other files."""
    below = folder / "mixed" / "below"
    below.mkdir(parents=True)
    whole = Path(corpus, "1.jsonl").read_text()
    lines = whole.splitlines(keepends=True)
    head = json.loads(lines[0])
    (below / "1.jsonl").write_text(whole)
    (below.parent / "torn.jsonl").write_text(whole[:-9])
    (below.parent / "broken.jsonl").write_text(lines[0] + lines[2] + "".join(lines[3:]))
    (below.parent / "ended.jsonl").write_text(
        whole.replace('"winners": [', '"winners": ["left", "right", ')
    )
    (below.parent / "empty.jsonl").write_text(lines[0][:40])
    renamed = {**head, "digest": f"sha256:{'0' * 64}"}
    (below.parent / "renamed.jsonl").write_text(
        json.dumps(renamed) + "\n" + "".join(lines[1:])
    )
    other = {**renamed, "variant": "other", "options": {"depth": 3}, "players": 9}
    (below.parent / "other.jsonl").write_text(json.dumps(other) + "\n")
    (below.parent / "notes.txt").write_text("not a record\n")
    (below.parent / "picture.bin").write_bytes(bytes(range(256)))
    return below.parent


def test_corpus_may_contain_other_files(
    tmp_path: Path,
    corpora: Callable[..., str],
    changed: Callable[..., str],
    capsys: Output,
) -> None:
    folder = mixed(tmp_path, corpora(str(DARE), 6))
    capsys.readouterr()
    assert main(["impact", str(DARE), changed(STRICT), "--corpus", str(folder)]) == 0
    said = capsys.readouterr()
    assert "of 3 games" in said.out
    assert "broken.jsonl: it is not valid under its own rules: event 1:" in said.err
    assert "ended.jsonl: it is not valid under its own rules: line 1: the" in said.err
    assert "empty.jsonl: " in said.err
    assert (
        "other.jsonl: a game of other, recorded with rules of a different digest"
        in said.err
    )
    assert "1 record with a different digest, " in said.err
    assert "1 record with an incomplete last line" in said.err
    assert "2 files that are not a record" in said.err


def test_impact_does_not_depend_on_the_number_of_processes(
    corpora: Callable[..., str], changed: Callable[..., str], ask: Ask
) -> None:
    rules, corpus = changed(STRICT, MORE_SIDES), corpora(str(DARE), 6)

    alone, together = (ask(str(DARE), rules, corpus, "--jobs", n) for n in "13")
    assert alone == together


def test_records_are_sorted_by_number(tmp_path: Path) -> None:
    for number in (10, 9, 1):
        path = tmp_path / f"{number}.jsonl"
        path.write_text('{"format": "rulebook-record/1"}\n')

    names = [Path(record).name for record in find_records(str(tmp_path)).records]
    assert names == ["1.jsonl", "9.jsonl", "10.jsonl"]


@pytest.mark.parametrize(
    ("status", "given", "said"),
    [
        (2, ["--corpus", "nowhere"], "folder nowhere does not exist"),
        (1, ["--corpus", "."], ". contains no records"),
        (2, ["--corpus", ".", "--jobs", "0"], "--jobs must be at least 1, not 0"),
        (
            2,
            ["--corpus", ".", "--fail-under", "101"],
            "--fail-under must be from 0 to 100",
        ),
    ],
)
def test_rejects_invalid_arguments(
    status: int, given: list[str], said: str, working_folder: Path, capsys: Output
) -> None:
    assert main(["impact", str(DARE), str(DARE), *given]) == status
    assert said in capsys.readouterr().err


def test_a_corpus_without_a_game_of_the_rules_is_refused(
    corpora: Callable[..., str], capsys: Output
) -> None:
    corpus = corpora(str(DARE), 6)
    capsys.readouterr()

    assert main(["impact", "classic", "classic", "--corpus", corpus, "--json"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["games"] == 0
    assert f"{corpus} contains no record of classic" in said.err


@pytest.mark.parametrize(("least", "status"), [("0", 0), ("99", 1)])
def test_exits_with_1_if_too_few_games_remain_valid(
    least: str,
    status: int,
    corpora: Callable[..., str],
    changed: Callable[..., str],
    capsys: Output,
) -> None:
    given = ["--corpus", corpora(str(DARE), 6), "--fail-under", least]

    assert main(["impact", str(DARE), changed(STRICT), *given]) == status
    assert ("is below the required 99 %" in capsys.readouterr().out) == bool(status)


def test_prints_the_clause_its_lines_and_a_command_for_an_example(
    corpora: Callable[..., str], changed: Callable[..., str], capsys: Output
) -> None:
    rules, corpus = changed(STRICT), corpora(str(DARE), 6)
    said = output_of(capsys, "impact", str(DARE), rules, "--corpus", corpus)
    assert f"{rules} against {DARE}: 1 clause differs\n" in said
    assert "    - if omen's worth <= die: move 1 omen from turned to your won\n" in said
    assert "    + if omen's worth < die: move 1 omen from turned to your won\n" in said
    look = next(line for line in said.splitlines() if "record-to-scenario" in line)
    assert main(look.split()[1:]) == 0
    assert "scenario" in capsys.readouterr().out
