"""Comparison of variants in games played with the same random seeds."""

from workbench.extras import Extra, import_library

import_library("numpy", Extra.DESK, "statistics")
