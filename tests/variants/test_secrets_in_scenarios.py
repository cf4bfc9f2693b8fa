"""Every secret of a shipped game is stated in its scenarios."""

import pytest

import workbench
from rulebook.model import Audience, ExpectView
from rulebook.tooling import mutants
from workbench.testing.rule_tests.mutation import noticing_scenarios


@pytest.mark.parametrize("name", ["classic", "base", "germany", "cardgame"])
def test_a_scenario_fails_if_all_see_a_hidden_field(name: str) -> None:
    book = workbench.load(name)
    scenarios = [
        scenario
        for scenario in book.model.scenarios
        if any(
            isinstance(node, ExpectView) for _, body in scenario.steps for node in body
        )
    ]
    revealing = [
        mutant
        for mutant in mutants(book)
        if mutant.description == "seen by"
        and "seen by" in mutant.before[0]
        and "seen by" not in mutant.after[0]
    ]
    hidden = [x for x in book.model.fields.values() if x.seen_by is not Audience.ALL]

    assert len(revealing) == len(hidden)
    for mutant in revealing:
        assert list(noticing_scenarios(book, mutant, scenarios)), mutant.change
