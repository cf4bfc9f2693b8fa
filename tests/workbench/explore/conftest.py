"""The game that goes wrong is for the tests here, and none itself."""

collect_ignore = ["latch.rules"]
