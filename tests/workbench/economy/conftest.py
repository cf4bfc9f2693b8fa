"""Small game and its economy, computed once."""

from pathlib import Path

import pytest

import workbench
from rulebook import Rulebook
from workbench.analysis.economy import Economy, examine
from workbench.analysis.economy.examination import IncomeReport
from workbench.analysis.simulation.settings import Settings

pytest.importorskip("scipy")

ORCHARD = Path(__file__).parent / "orchard.rules"


@pytest.fixture(scope="session")
def orchard_path() -> str:
    return str(ORCHARD)


@pytest.fixture(scope="session")
def orchard(orchard_path: str) -> Rulebook:
    return workbench.load(orchard_path)


@pytest.fixture(scope="session")
def economy(orchard: Rulebook) -> Economy:
    return examine(orchard, Settings(), 20)


@pytest.fixture(scope="session")
def income_report(economy: Economy) -> IncomeReport:
    assert economy.income_report is not None
    return economy.income_report
