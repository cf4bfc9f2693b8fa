"""`rulebook mutate` samples changes of the rules and reports those that tests detect.

Verified by manual mutations: invalid candidates counted as detected; a sample that ends
with the first invalid candidate; invariants that are not checked; stored judgements
reused for changed tests, for a changed scenario, and for survivors.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from rulebook import Rulebook, load, loads
from rulebook.tooling import (
    SAMPLED_OPERATORS,
    VISIBILITY,
    Mutant,
    amendment_text,
    mutants,
)
from tests.support.commands import Output, document_of, errors_of, output_of
from workbench.analysis.simulation.settings import Settings
from workbench.cli import main
from workbench.files.library.loading import examine
from workbench.testing.rule_tests.generated_games import comparison_games
from workbench.testing.rule_tests.mutant_samples import Candidates, MutantSample
from workbench.testing.rule_tests.mutant_verdicts import (
    NOT_MUTANTS,
    Judgement,
    MutantCoverage,
    MutantJudge,
    MutantTrial,
    mutant_coverage,
    sampled_mutants,
)
from workbench.testing.rule_tests.mutation import book_of_mutant
from workbench.testing.rule_tests.rule_coverage import measure_coverage

SUPPORT = Path(__file__).parents[1] / "support"
POND = SUPPORT / "mutants.rules"
LAMP = Path(__file__).parent / "coverage" / "lamp.rules"
INVARIANT = "invariant"
MORE_LIGHT, FULL = "otherwise: increase lamp by", "whenever lamp >="
MORE = """
invariant "tokens are kept"
  require number of token in pot <= 3
  require lamp <= 5
"""

TITLE = "in the dark nobody glows"
NONE_LEFT = {"killed", "refused", "idle"}
DARK = f"""
scenario "{TITLE}" with 2 players
  given
    move 1 spark from pot to north's hand
  then
    require north's glow = 0
"""


def change_of(book: Rulebook, text: str) -> tuple[int, Mutant]:
    """Return the number and the mutant of a change, which must exist exactly once."""
    [pair] = [(n, m) for n, m in enumerate(sampled_mutants(book)) if m.change == text]
    return pair


@pytest.fixture(scope="module")
def lamp() -> Rulebook:
    return loads(LAMP.read_text(encoding="utf-8") + MORE, str(LAMP))


def verdict(book: Rulebook, text: str, games: int = 20) -> Judgement:
    number, mutant = change_of(book, text)
    base = Settings()
    coverage = measure_coverage(book, list(comparison_games(book, base, games)))
    return MutantJudge(book, base, games).judge(
        number, mutant, mutant_coverage(coverage, mutant)
    )


@pytest.mark.parametrize(
    ("change", "expected", "by"),
    [
        (f"number: {MORE_LIGHT} 1 → {MORE_LIGHT} 2", "killed", "scenario"),
        ("dropped: needs able: you is rich → (nothing)", "killed", "scenario"),
        (f"number: {FULL} 3: nobody wins → {FULL} 2: nobody wins", "unnoticed", ""),
        ("number: lamp: 0 to 20 → lamp: 0 to 21", "perhaps equivalent", ""),
        ("row: red | 1 … → red | 2 …", "not reached", ""),
        (f"number: {FULL} 3: nobody wins → {FULL} 4: nobody wins", "killed", INVARIANT),
        (f"dropped: {FULL} 3: nobody wins → {FULL} 3: …", "killed", "failure"),
        ("dropped: needs low: lamp <= 9 → (nothing)", "refused", ""),
    ],
)
def test_verdict_on_a_change(
    lamp: Rulebook, change: str, expected: str, by: str
) -> None:
    judgement = verdict(lamp, change)

    assert (judgement.verdict, judgement.by) == (expected, by)
    assert bool(judgement.test) is (expected == "killed")


def test_change_without_effect_stays_in_the_sample(lamp: Rulebook) -> None:
    """Keep a change without effect in the sample.

    Verified by dropping it as if it were invalid.
    """
    _, mutant = change_of(lamp, "number: lamp: 0 to 20 → lamp: 0 to 21")
    same = attrs.evolve(mutant, clauses=lamp.merged.clauses)

    judgement = MutantJudge(lamp, Settings(), 0).judge(
        0, same, MutantCoverage(20, None)
    )

    assert judgement.verdict == "perhaps equivalent"


def test_failure_in_another_game_is_a_difference(lamp: Rulebook) -> None:
    """Treat a failure in an additional game as a difference.

    Verified by ignoring a game that raises.
    """
    _, mutant = change_of(lamp, f"dropped: {FULL} 3: nobody wins → {FULL} 3: …")
    changed, _ = book_of_mutant(lamp, mutant, [])

    assert changed is not None
    assert not MutantTrial(
        MutantJudge(lamp, Settings(), 0), changed, MutantCoverage(0, None)
    ).is_unchanged()


def test_only_scenarios_that_can_detect_the_change_are_run() -> None:
    """Run only scenarios that execute a changed effect; for a changed line, run all.

    Checks in tests evaluate lines without counting. Verified by treating all sorts as
    counted, and by treating none so.
    """
    lamp = loads(LAMP.read_text(encoding="utf-8") + DARK, str(LAMP))
    coverage = measure_coverage(lamp, [])

    def run(text: str) -> list[str]:
        known = mutant_coverage(coverage, change_of(lamp, text)[1])
        return [
            scenario.title
            for scenario in known.relevant_scenarios(lamp.model.scenarios)
        ]

    rich, dark = "one who is rich may shine", "in the dark nobody glows"
    assert run(f"number: {MORE_LIGHT} 1 → {MORE_LIGHT} 2") == [rich]
    line = "number: number … player's hand >= 2 → number … player's hand >="
    assert (
        run(f"{line} 3")
        == run("number: players 2 to 2 → players 2 to 3")
        == [rich, dark]
    )


def test_every_operator_has_its_changes() -> None:
    """Use a file with every kind of change; changes without an operator are not
    sampled.
    """
    book = load(POND)

    assert {mutant.operator for mutant in mutants(book)} == {"", *SAMPLED_OPERATORS}
    assert all(mutant.operator in SAMPLED_OPERATORS for mutant in sampled_mutants(book))


@pytest.mark.parametrize(
    ("address", "begins", "operator"),
    [
        ("cost.hop", "number: cost hop: 2 white, 1 black", "amount"),
        ("option.goal", "number: option goal (1 to 9): 3 →", "default of an option"),
        ("option.quick", "yes/no: option quick: no", "default of an option"),
        ("spaces.bank", "dropped: reed | 1", "row"),
        ("spaces.bank", "number: sand | 2", "amount"),
        ("action.hop", "dropped: pays hop", "requirement dropped"),
        ("action.hop", "doubled: (nothing) → increase", "effect doubled"),
        ("action.hop", "comparison: needs room: your score < 38", "comparison"),
        ("action.steal", "seat: needs other: victim is not you", "seat"),
        ("to.catch", "dropped: shuffle pile", "shuffle"),
        ("player.pouch", "seen by: pouch: bag of pebble", "who sees it"),
        ("player.score", "resets: score: … 40", "carried over"),
        ("limit.once", "period: limit … most 1 each turn", "carried over"),
        ("action.hop", "seat: increase your score", "seat"),
        ("action.steal", "may/must: you may do hop", "optional or forced"),
        ("phase.play", "once: you may, until done:", "how often"),
        ("to.catch", "only one: each player in players", "how often"),
        ("to.calm_down", "once/still: each player where still", "how often"),
        ("phase.roll", "order: (nothing) → phase.roll after phase.play", "moment"),
    ],
)
def test_the_operator_of_a_change(address: str, begins: str, operator: str) -> None:
    pond = load(POND)
    alike = [m for m in mutants(pond, address) if m.change.startswith(begins)]

    assert operator in {mutant.operator for mutant in alike}


def test_clauses_and_operators_take_turns_in_a_sample() -> None:
    """A table with many cells has no more mutants in a sample than a short rule."""
    pond = load(POND)
    listed = sampled_mutants(pond)
    order = MutantSample(str(POND), Settings(seed=5), 0, 0).candidate_order(
        pond, listed
    )
    first = len({mutant.address for mutant in listed})
    hop = [listed[n].operator for n in order if listed[n].address == "action.hop"]
    kinds = len(set(hop))

    assert sorted(order) == [*range(len(listed))]
    assert len({listed[number].address for number in order[:first]}) == first
    assert len(hop) > kinds == len(set(hop[:kinds]))


def test_change_of_what_seats_see_is_never_equivalent() -> None:
    """Games are the same, but seats know more or less in them."""
    pond = load(POND)
    number, mutant = next(
        (number, mutant)
        for number, mutant in enumerate(sampled_mutants(pond))
        if mutant.operator == VISIBILITY and mutant.address == "player.pouch"
    )
    judge = MutantJudge(pond, Settings(), 0)

    assert judge.judge(number, mutant, MutantCoverage(0, None)).verdict == "unnoticed"


def test_an_amendment_is_the_change(tmp_path: Path) -> None:
    """For one mutant of each clause and operator, an amendment file has the
    same rules.
    """
    book = load(POND)
    text = POND.read_text(encoding="utf-8")
    (tmp_path / f"{book.name}.rules").write_text(text, encoding="utf-8")
    some = {(m.address, m.operator): m for m in sampled_mutants(book)}
    same, headers = 0, 0
    of_header = [
        mutant for mutant in sampled_mutants(book) if mutant.address == "header"
    ]
    for mutant in (*some.values(), *of_header):
        changed, _ = book_of_mutant(book, mutant)
        if changed is None:
            continue
        path = tmp_path / "pasted.rules"
        path.write_text(
            amendment_text(book, mutant).replace(
                f"extends {book.name}\n",
                f'rules language 1\nrulebook pasted "As it were"\n  over {book.name}\n',
            ),
            encoding="utf-8",
        )
        pasted, diagnostics = examine(str(path))
        assert pasted is not None, (mutant.name, diagnostics)
        assert pasted.digest == changed.digest, mutant.name
        same += 1
        headers += mutant.address == "header"
    assert same > 30 and headers


def judgements(verdicts: Mapping[int, str]) -> dict[int, Judgement]:
    return {number: Judgement(number, said) for number, said in verdicts.items()}


def test_invalid_candidate_is_replaced() -> None:
    candidates = Candidates([5, 3, 8, 1, 2], 2, judgements({3: "refused", 8: "killed"}))

    assert list(candidates) == [5]
    assert [judgement.number for judgement in candidates.known] == [3, 8]
    candidates.replace_invalid(Judgement(5, "refused"))
    assert list(candidates) == [1]
    candidates.replace_invalid(Judgement(1, "unnoticed"))
    assert list(candidates) == []


def said(capsys: Output, *given: str) -> Any:
    return document_of(capsys, "mutate", str(LAMP), "--games", "4", *given)


def test_sample_does_not_depend_on_parts_or_processes(
    tmp_path: Path, capsys: Output
) -> None:
    kept = tmp_path / "kept.jsonl"
    whole = said(capsys, "--sample", "9", "--resume", str(kept))
    lines = kept.read_text(encoding="utf-8").splitlines(keepends=True)
    kept.write_text("".join(lines[:5]) + lines[5][:9], encoding="utf-8")
    resumed = said(capsys, "--sample", "9", "--resume", str(kept), "--jobs", "2")

    assert resumed == whole
    assert kept.read_text(encoding="utf-8").splitlines(keepends=True)[:5] == lines[:5]
    assert len(kept.read_text(encoding="utf-8").splitlines()) == len(lines)
    assert whole["mutants"] == 9 == len(whole["survivors"]) + whole["killed"]
    assert len(whole["noticed"]) == whole["killed"] > 0
    assert all(each["test"] and each["by"] for each in whole["noticed"])
    assert whole["refused"] + whole["idle"] == len(lines) - 10
    assert said(capsys, "--sample", "9", "--seed", "2") != whole


def test_results_file_belongs_to_one_sample(tmp_path: Path, capsys: Output) -> None:
    kept = tmp_path / "kept.jsonl"
    said(capsys, "--sample", "1", "--resume", str(kept))
    before = kept.read_bytes()

    other = ["mutate", str(LAMP), "--games", "4", "--resume", str(kept)]
    assert "belongs to a different sample" in errors_of(capsys, *other, "--sample", "2")
    text = LAMP.read_text(encoding="utf-8").replace("lamp >= 3", "lamp >= 4")
    path = tmp_path / "lamp.rules"
    path.write_text(text, encoding="utf-8")
    given = ["mutate", str(path), "--games", "4", "--sample", "1"]
    assert main([*given, "--resume", str(kept)]) == 2
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("[1]", "line 4 is not an object"),
        ("null", "line 4 is not an object"),
        ('{"a":1e999}', "line 4 is not a JSON document"),
        ("[" * 100_000, "line 4 is not a JSON document"),
        ('{"a":1}', "line 4 is not a result of `mutate`"),
        ('{"format":"rulebook-mutants/2"}', "line 4 has no digests of tests"),
        (
            '{"number":"1","verdict":"killed","by":"","test":"","times":1}',
            "line 4 is not a result of `mutate`: number is '1'",
        ),
        (
            '{"number":1,"verdict":"left","by":"","test":"","times":1}',
            "line 4 is not a result of `mutate`: verdict is 'left'",
        ),
    ],
)
def test_invalid_line_in_the_results_file_is_reported(
    line: str, wrong: str, tmp_path: Path, capsys: Output
) -> None:
    kept = tmp_path / "kept.jsonl"
    said(capsys, "--sample", "2", "--resume", str(kept))
    lines = kept.read_text(encoding="utf-8").splitlines(keepends=True)[:3]
    kept.write_text("".join(lines) + line + "\n", encoding="utf-8")
    before = kept.read_bytes()

    given = ["mutate", str(LAMP), "--games", "4", "--sample", "2"]
    refused = errors_of(capsys, *given, "--resume", str(kept), status=1)
    assert f"kept.jsonl is damaged: {wrong}" in refused
    assert refused.count("\n") == 1
    assert kept.read_bytes() == before


def test_kills_by_unchanged_scenarios_stay_valid(
    tmp_path: Path, capsys: Output
) -> None:
    path, kept = tmp_path / "lamp.rules", tmp_path / "kept.jsonl"
    lamp = LAMP.read_text(encoding="utf-8")
    both, quicker = lamp + DARK, lamp.replace("require lamp = 1", "require lamp < 2")

    def run(text: str, *given: str) -> tuple[Any, list[Any]]:
        path.write_text(text, encoding="utf-8")
        before = len(kept.read_bytes().splitlines()) if kept.exists() else 0
        name = ["mutate", str(path), "--games", "4", "--sample", "20", "--json"]
        report = json.loads(output_of(capsys, *name, *given))
        lines = kept.read_text(encoding="utf-8").splitlines()[before:]
        return report, [json.loads(line) for line in lines]

    with_kept = ("--resume", str(kept))
    first, (_, *old) = run(lamp, *with_kept)
    survived = {line["number"] for line in old if line["verdict"] not in NONE_LEFT}
    second, (head, *new) = run(both, *with_kept)

    assert second == run(both)[0] != first
    assert head["scenarios"].keys() == {"one who is rich may shine", TITLE}
    assert {line["number"] for line in new} == survived
    third, (_, *newest) = run(quicker, *with_kept)
    assert third == run(quicker)[0]
    gone = {line["number"] for line in old + new if line["verdict"] not in NOT_MUTANTS}
    assert {line["number"] for line in newest} == gone
    assert run(quicker, *with_kept)[1] == []


def test_rejects_rules_whose_tests_fail(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "lamp.rules"
    text = LAMP.read_text(encoding="utf-8").replace("lamp = 1\n", "lamp = 2\n")
    path.write_text(text, encoding="utf-8")

    assert main(["mutate", str(path), "--sample", "1"]) == 1
    assert "fails with the unchanged rules" in capsys.readouterr().err


@pytest.mark.parametrize("given", [["--sample", "0"], ["--games", "-1"]])
def test_rejects_invalid_numbers(given: list[str]) -> None:
    assert main(["mutate", str(LAMP), *given]) == 2


def test_survivors_are_listed_with_their_places(capsys: Output) -> None:
    told = output_of(capsys, "mutate", str(LAMP), "--sample", "30", "--games", "4")
    assert "lamp, 30 changes of " in told
    assert "\n  not counted, rejected by the checker: " in told
    assert f"{LAMP}:14: " in told
    assert "replace cards token (tokens)\n  token | copies\n  spark |      3\n" in told


def test_progress_counts_no_rejected_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = []

    def counted(
        items: Iterable[Any],
        total: int,
        *_: object,
        is_counted: Callable[[Any], bool] = lambda _: True,
    ) -> Iterator[Any]:
        listed = list(items)
        counts.append((sum(map(is_counted, listed)), total, len(listed)))
        yield from listed

    monkeypatch.setattr("workbench.cli.testing.mutate.with_progress", counted)

    assert main(["mutate", str(LAMP), "--sample", "30", "--games", "4"]) == 0

    done, total, judged = counts[-1]
    assert done == total == 30 < judged
