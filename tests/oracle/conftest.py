"""The deviations are rules to tell apart, not games with tests of their own."""

collect_ignore_glob = ["*.rules"]
