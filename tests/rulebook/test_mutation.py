"""Mutants: one small change of checked rules, with a name, checked again."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from rulebook import Rulebook, load, loads, recheck
from rulebook.tooling import Mutant, amendment_text, mutants

PATH = Path(__file__).parents[1] / "support" / "mutants.rules"
STILL = (
    "once/still: each player where still player's score > … → "
    "each player where player's score > …"
)


@pytest.fixture(scope="module")
def pond() -> Rulebook:
    return load(PATH)


def changes(mutated: Iterable[Mutant]) -> list[str]:
    return [mutant.change for mutant in mutated]


@pytest.mark.parametrize(
    ("address", "change"),
    [
        ("header", "number: players 2 to 3 → players 1 to 3"),
        (
            "header",
            "order: seats north, south, east → seats south, north, east",
        ),
        ("cost.hop", "part dropped: cost hop: 2 white, 1 black → cost hop: 1 black"),
        ("cost.hop", "number: cost hop: 2 white, 1 black → cost hop: 3 white, 1 black"),
        ("spaces.bank", "row: reed | 1 … → reed | 2 …"),
        ("spaces.bank", "number: sand | 2 → sand | 3"),
        ("spaces.bank", "dropped: reed | 1 → (nothing)"),
        ("option.goal", "number: option goal (1 to 9): 3 → option goal (1 to 9): 4"),
        ("option.quick", "yes/no: option quick: no → option quick: yes"),
        (
            "player.pouch",
            "seen by: pouch: bag of pebble, seen by owner → pouch: bag of pebble",
        ),
        ("action.hop", "dropped: needs room: your score < 38 → (nothing)"),
        ("action.hop", "dropped: pays hop → (nothing)"),
        (
            "action.hop",
            "comparison: needs room: your score < 38 → needs room: your score <= 38",
        ),
        ("action.hop", "doubled: (nothing) → increase your score by 1"),
        (
            "action.hop",
            "more/less: increase your score by 1 → decrease your score by 1",
        ),
        (
            "action.steal",
            "seat: needs other: victim is not you → needs other: you is not you",
        ),
        (
            "action.steal",
            "negated: needs other: victim is not you → needs other: victim is you",
        ),
        (
            "action.steal",
            "may/must: you may do hop without paying → you do hop without paying",
        ),
        ("action.steal", "free: you may do hop without paying → you may do hop"),
        (
            "action.steal",
            "name: move … pouch to your pouch → move … pouch to your store",
        ),
        ("to.catch", "dropped: shuffle pile → (nothing)"),
        (
            "to.catch",
            "name: move … heap to player's pouch → move … heap to player's store",
        ),
        (
            "phase.roll",
            "and/or: if die >= 3 and quick: catch → if die >= 3 or quick: catch",
        ),
        ("phase.roll", "order: (nothing) → phase.roll after phase.play"),
        ("phase.play", "dropped: hop, steal → hop"),
        ("phase.play", "once: you may, until done: … → you may do hop, steal"),
        (
            "define.rich(player)",
            "all or none: number of white in player's store > 2 → yes",
        ),
        ("to.calm_down", STILL),
        ("award.best", "tie: on a tie, holder keeps it → on a tie, nobody has it"),
    ],
)
def test_a_change_is_among_those_of_a_clause(
    pond: Rulebook, address: str, change: str
) -> None:
    assert change in changes(mutants(pond, address))


def test_mutant_names_are_unique_and_independent_of_lines(pond: Rulebook) -> None:
    text = PATH.read_text(encoding="utf-8")
    lower = loads(text.replace("kind pebble", "\n\n\nkind pebble"), "pond.rules")
    names = [mutant.name for mutant in mutants(pond)]

    assert len(names) == len(set(names)) > 150
    assert [mutant.name for mutant in mutants(lower)] == names


def test_the_place_of_a_mutant_is_the_changed_place(pond: Rulebook) -> None:
    spans = {mutant.change: mutant.span for mutant in mutants(pond, "action.hop")}
    lines = PATH.read_text(encoding="utf-8").splitlines()
    line = lines.index("  increase your score by 1") + 1

    assert spans["doubled: (nothing) → increase your score by 1"].line == line


def test_a_mutant_changes_only_its_clause(pond: Rulebook) -> None:
    for mutant in mutants(pond):
        same = {
            address
            for address, clause in pond.merged.clauses.items()
            if mutant.clauses[address] is clause
        }
        changed = pond.merged.clauses.keys() - same
        assert {str(address) for address in changed} <= {mutant.address}
        assert (
            changed
            or mutant.header is not pond.merged.header
            or mutant.description == "order"
        )


def test_tests_and_hints_are_not_changed(pond: Rulebook) -> None:
    assert not [
        mutant for mutant in mutants(pond) if mutant.address.startswith("scenario")
    ]


def test_checking_again_gives_the_same_rules(pond: Rulebook) -> None:
    again, diagnostics = recheck(pond, pond.merged.clauses)

    assert again is not None
    assert not diagnostics
    assert (again.digest, again.clauses.keys()) == (pond.digest, pond.clauses.keys())


def test_a_mutant_differs_or_is_rejected(pond: Rulebook) -> None:
    checked = {
        mutant.name: recheck(pond, mutant.clauses, mutant.header)
        for mutant in mutants(pond)
    }
    books = {name: book for name, (book, _) in checked.items() if book is not None}

    assert len(books) > 100
    for name, (book, diagnostics) in checked.items():
        assert book is not None or diagnostics, name
    same = [name for name, book in books.items() if book.digest == pond.digest]
    assert len(same) < 5, same


def test_the_place_of_a_card_is_counted_from_the_other_end() -> None:
    rows = load(PATH.parents[1] / "interpreter" / "rows.rules")

    _, _, other = (x for x in changes(mutants(rows)) if x.startswith("other end"))
    assert other == (
        "other end: if … at place 3 from the bottom of played is … → "
        "if … at place 3 of played is …"
    )


def test_a_named_step_that_is_doubled_can_be_pasted() -> None:
    lines = ["rules language 1", 'rulebook twice "Twice"', "", "each player has"]
    lines += ["  score: 0 to 9, seen by all", "", "action win", "  step more:"]
    lines += ["    if your score < 9: increase your score by 1"]
    lines += ["", "turn", "  phase play"]
    text = "\n".join([*lines, "    you do win", ""])
    book = loads(text, "twice.rules")
    doubled = next(m for m in mutants(book, "action.win") if m.description == "doubled")
    pasted = loads(amendment_text(book, doubled), "more.rules", {"twice": text}.get)
    changed, _ = recheck(book, doubled.clauses)

    assert changed is not None
    assert changed.digest == pasted.digest != book.digest
