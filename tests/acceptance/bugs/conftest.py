"""Rules with bugs in them: tests run them, and see that these are found."""

collect_ignore_glob = ["*.rules"]
