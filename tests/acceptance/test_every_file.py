"""Shipped games and examples have the properties of every rule file. The quick form
plays three games of each for each property, and two for the state machine that tests
invariants, on both engines with default options. `--deep` plays a hundred with all
settings, and twenty.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import hypothesis
import pytest
from hypothesis.stateful import run_state_machine_as_test

import variants
import workbench
from interpreter import options_of
from rulebook import Rulebook
from tests.support.caches import compile_quickly, engines_of_all
from workbench.testing import RuleFileProperties, machine_for

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.relative_to(ROOT) for path in ROOT.glob("examples/*/*.rules"))
FILES = [*variants.names(), *map(str, EXAMPLES)]


@lru_cache(maxsize=2)
def loaded(name: str) -> Rulebook:
    """Return the rules of a file, cached for consecutive tests."""
    return workbench.load(name)


def fixed(examples: int) -> hypothesis.settings:
    """Return settings for a fixed number of reproducible games with health checks."""
    usual = RuleFileProperties.settings
    settings = hypothesis.settings(
        usual, max_examples=examples, derandomize=True, database=None
    )
    assert not settings.suppress_health_check
    return settings


@pytest.fixture(scope="class", params=FILES)
def of_a_file(
    request: pytest.FixtureRequest, deep: bool, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Apply the test class to one file after another, with a shared engine cache."""
    request.cls.book = loaded(request.param)
    request.cls.events = 100 if deep else 40
    request.cls.settings = fixed(100 if deep else 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(engines_of_all(tmp_path_factory)))
        if not deep:
            compile_quickly(patch)
        yield


@pytest.mark.usefixtures("of_a_file")
class TestEveryFile(RuleFileProperties):
    @pytest.fixture(autouse=True)
    def with_one_engine(self, request: pytest.FixtureRequest, deep: bool) -> None:
        """Use one engine, because each setting needs a C engine that takes a second to
        compile.
        """
        if not deep and "engines" in request.node.name:
            book, fewest = self.book, self.book.players[0]
            vars(self)["players"] = fewest
            vars(self)["options"] = options_of(book, players=fewest)


@pytest.mark.parametrize("name", variants.names())
def test_the_machine_plays_every_shipped_game(name: str, deep: bool) -> None:
    usual = machine_for(loaded(name)).TestCase.settings
    assert not usual.suppress_health_check
    machine = machine_for(
        loaded(name),
        events=200 if deep else 15,
        max_examples=20 if deep else 2,
        derandomize=True,
        database=None,
    )
    run_state_machine_as_test(machine, settings=machine.TestCase.settings)
