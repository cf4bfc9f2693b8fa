"""Excludes the faulty rule files of these tests from collection."""

collect_ignore_glob = ["*.rules"]
