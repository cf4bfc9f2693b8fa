"""Files on disk: rule files, records, caches, and state of long commands."""
