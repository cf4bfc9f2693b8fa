"""Statistics of the differences between two variants, and sentences about them."""

from workbench.extras import Extra, library

library("numpy", Extra.DESK, "statistics")
