"""Statistics of differences between two variants: sizes, intervals and sentences."""

from workbench.extras import Extra, library

library("numpy", Extra.DESK, "statistics")
