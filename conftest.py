"""The pytest plugin of this very repository, where it is not installed."""

import pytest

from workbench import pytest_plugin

PLUGIN = "rulebook"


def pytest_configure(config: pytest.Config) -> None:
    """Register it under the name it has when it is installed."""
    if not config.pluginmanager.has_plugin(PLUGIN):
        config.pluginmanager.register(pytest_plugin, PLUGIN)
