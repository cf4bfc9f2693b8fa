"""Comparison of variants by games that are paired by seed."""

from workbench.extras import Extra, import_library

import_library("numpy", Extra.DESK, "statistics")
