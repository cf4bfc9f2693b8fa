"""Storage of the tables in tests of the server."""

from pathlib import Path

import pytest

from tests.web.support import url_in
from workbench.web.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a store in a folder of the test."""
    return Store.open(url_in(tmp_path))
