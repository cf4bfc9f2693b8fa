"""Excludes the rule files with bugs from collection; tests run them."""

collect_ignore_glob = ["*.rules"]
