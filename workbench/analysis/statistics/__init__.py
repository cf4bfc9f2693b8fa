"""Statistics of the differences between two variants, and sentences about them."""

from workbench.extras import Extra, import_library

import_library("numpy", Extra.DESK, "statistics")
