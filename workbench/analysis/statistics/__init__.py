"""What may be said of two variants by games of each: how much, how sure, in words."""

from workbench.extras import Extra, library

library("numpy", Extra.DESK, "statistics")
