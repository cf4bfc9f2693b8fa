"""Excludes the deviating rule files, which have no tests, from collection."""

collect_ignore_glob = ["*.rules"]
