"""Excludes the rule files of earlier versions from collection."""

collect_ignore_glob = ["*.rules"]
