"""Rules with a mistake in them: they are for one test, and have none of their own."""

collect_ignore_glob = ["*.rules"]
