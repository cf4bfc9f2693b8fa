"""Pytest plugin that collects the scenarios and invariants of `*.rules` files.

Tests in a game's companions are collected with the game. The plugin imports nothing
from this package until it collects a rule file.

The setting `rulebook_games` is the number of games in which invariants are checked. The
default is 20, as in `rulebook test`. With `--rulebook-coverage`, the summary contains
the coverage of each file.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NO_GAME = "RB147"
COMPANION_CODE = "RB170"
COMPANIONS_PATTERN = re.compile(
    r"^[ \t]+comes +with[ \t]+((?:\w+\s*,\s*)*\w+)", re.MULTILINE
)
COVERAGE_RUNS = pytest.StashKey[dict[Path, Any]]()
LOADER = pytest.StashKey["RuleFileLoader"]()
EXPECT_PATTERN = re.compile(r"^expect ", re.MULTILINE)


class TestFailed(Exception):
    """Raised if a scenario or an invariant fails; its text is the report."""

    __test__ = False


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the setting `rulebook_games` and the command-line options."""
    parser.addini(
        "rulebook_games", "number of games in which the invariants are checked"
    )
    parser.addoption(
        "--rulebook-coverage",
        action="store_true",
        help="report how much of each rule file its scenarios and games cover",
    )
    parser.addoption(
        "--rulebook-pictures",
        metavar="DIR",
        help="write an SVG picture of each position in which a test fails",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Create the dictionary of coverage runs, by path of the rule file."""
    config.stash[COVERAGE_RUNS] = {}


def pytest_collection_finish(session: pytest.Session) -> None:
    """Free the rules that were loaded for the collection."""
    if LOADER in session.config.stash:
        del session.config.stash[LOADER]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Report the coverage of each measured file."""
    from workbench.testing.rule_tests.rule_coverage import incomplete_lines

    for path, measure in config.stash[COVERAGE_RUNS].items():
        coverage = measure.coverage()
        terminalreporter.section(f"{path.name}: {coverage.total.percent:.1f} % reached")
        for sort, share in coverage.shares.items():
            reached, truths = share.cells[:2]
            both = f", true and false {truths}" if truths else ""
            terminalreporter.line(f"{sort}: {reached}{both}")
        for line in incomplete_lines(coverage):
            terminalreporter.line(line)


def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> "RulesFile | None":
    """Return a collector for a rule file, or None for any other file."""
    if file_path.suffix != ".rules":
        return None
    return RulesFile.from_parent(parent, path=file_path)


class RuleFileLoader:
    """Loader of rule files for one collection, which checks each file once.

    Rules that an earlier process has checked come from the user's cache, as for
    `workbench.load`. Rules with any diagnostic are always checked again.
    """

    def __init__(self) -> None:
        from rulebook import Desk
        from rulebook.tooling import book_cache

        self.desk = Desk()
        self.shelf = book_cache()
        self.results: dict[str, tuple[Any, tuple[Any, ...]]] = {}
        self.valid: set[str] = set()
        """Names of the files in books without errors."""

    def examine(self, path: str) -> tuple[Any, tuple[Any, ...]]:
        """Return the book of a file, or None, and its diagnostics."""
        from workbench.files.library.loading import examine

        if path not in self.results:
            self.results[path] = examine(
                path, rule_cache=self.shelf, file_cache=self.desk
            )
            book, _ = self.results[path]
            if book is not None:
                self.valid |= book.files.keys()
        return self.results[path]

    def texts_of(self, file: str) -> set[str]:
        """Return the texts of all files in a file's book; it may be a shipped file."""
        import variants

        path = Path(file)
        if not path.is_file():
            try:
                path = variants.path(path.stem)
            except KeyError:
                return set()
        book, _ = self.examine(str(path))
        return set() if book is None else set(book.files.values())


def get_loader(config: pytest.Config) -> RuleFileLoader:
    """Return the loader of the current collection; create it if needed."""
    if LOADER not in config.stash:
        config.stash[LOADER] = RuleFileLoader()
    return config.stash[LOADER]


class RulesFile(pytest.File):
    """Collector for a rule file; a board or library is no game and has no items."""

    def collect(self) -> Iterator["RulesItem"]:
        """Yield the tests in the file and in the libraries that it extends."""
        from rulebook import RulesError

        loader = get_loader(self.config)
        if str(self.path) in loader.valid and self.has_collecting_game():
            return
        book, diagnostics = loader.examine(str(self.path))
        if book is None:
            text = self.path.read_text(encoding="utf-8", errors="replace")
            no_game = any(diagnostic.code == NO_GAME for diagnostic in diagnostics)
            if no_game or EXPECT_PATTERN.search(text):
                return
            if (
                any(diagnostic.code == COMPANION_CODE for diagnostic in diagnostics)
                and self.has_collecting_game()
            ):
                return
            raise self.CollectError(str(RulesError(diagnostics)))
        self.book = book
        self.measure: Any = None
        if self.config.getoption("--rulebook-coverage"):
            self.start_coverage()
        base_texts = self.base_game_texts()
        self.invariants_found: dict[str, Any] | None = None
        for kind, tests in (
            ("scenario", book.model.scenarios),
            ("invariant", book.model.invariants),
        ):
            for test in tests:
                if book.files[test.span.file] not in base_texts:
                    name = f"{kind}: {test.title}"
                    yield RulesItem.from_parent(self, name=name, test=test)

    def start_coverage(self) -> None:
        """Start measuring the coverage of all tests of the file."""
        from workbench.testing.rule_tests.rule_coverage import CoverageRun

        self.measure = CoverageRun(self.book)
        self.book = self.measure.counted_book
        self.config.stash[COVERAGE_RUNS][self.path] = self.measure

    def has_collecting_game(self) -> bool:
        """Return whether a game next to this file collects the file's tests."""
        game, _, sort = self.path.stem.rpartition(".")
        path = self.path.with_name(f"{game}.rules")
        if not path.is_file():
            return False
        named = COMPANIONS_PATTERN.search(
            path.read_text(encoding="utf-8", errors="replace")
        )
        return named is not None and sort in re.findall(r"\w+", named[1])

    def base_game_texts(self) -> set[str]:
        """Return the texts of base games, which pytest collects separately."""
        loader = get_loader(self.config)
        others = self.book.files.keys() - self.book.own_files
        return set().union(*map(loader.texts_of, others))

    def invariant_verdict(self, title: str) -> Any:
        """Return the verdict on an invariant; the same games check all invariants."""
        from workbench.analysis.simulation.settings import Settings
        from workbench.defaults import TEST_GAMES
        from workbench.testing.rule_tests.suite import InvariantChecker, play_and_check

        if self.invariants_found is None:
            invariants = self.book.model.invariants
            checker = InvariantChecker(self.book, invariants, Settings())
            games = int(self.config.getini("rulebook_games") or TEST_GAMES)
            for current in play_and_check(self.book, invariants, Settings(), games):
                checker = current
                if self.measure is not None:
                    self.measure.attribute_to_game()
            self.invariants_found = {item.name: item for item in checker.items()}
        return self.invariants_found[title]


class RulesItem(pytest.Item):
    """Test item for a scenario or an invariant."""

    def __init__(self, *, test: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rule_test = test

    def runtest(self) -> None:
        """Run the scenario or check the invariant; raise `TestFailed` if it fails."""
        from interpreter import VerdictStatus
        from rulebook.model import Scenario
        from workbench.testing.rule_tests.suite import run_scenario_test

        rules = self.parent
        assert isinstance(rules, RulesFile)
        if isinstance(self.rule_test, Scenario):
            outcome = run_scenario_test(rules.book, self.rule_test)
            if rules.measure is not None:
                rules.measure.attribute_to_scenario(self.rule_test)
        else:
            outcome = rules.invariant_verdict(self.rule_test.title)
        if outcome.status is VerdictStatus.SKIPPED:
            pytest.skip(outcome.message or "")
        if outcome.is_failed:
            message = f"{outcome.file}:{outcome.line}: {outcome.message}"
            scenario = (
                f"\nas a scenario:\n{outcome.scenario}" if outcome.scenario else ""
            )
            scenario = self.picture(outcome.record) + scenario
            record = f"\nrecord:\n{outcome.record}" if outcome.record else ""
            raise TestFailed(message + scenario + record)

    def picture(self, record: str | None) -> str:
        """Return a line with the path of a picture of the position, if requested."""
        folder = self.config.getoption("--rulebook-pictures")
        if folder is None or record is None:
            return ""
        from workbench.presentation.picture.failure_pictures import save_picture

        rules = self.parent
        assert isinstance(rules, RulesFile)
        path = save_picture(rules.book, self.rule_test.title, record, Path(folder))
        return "" if path is None else f"\nthe position: {path}"

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """Return a failed test's report without traceback; other errors keep theirs."""
        if isinstance(excinfo.value, TestFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, line and name of the test."""
        span = self.rule_test.place
        file = Path(span.file)
        path = file if file.is_file() else self.path
        return path, span.line - 1, self.name
