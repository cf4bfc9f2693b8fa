"""Files on disk: the library of rule files, records, caches and state files."""
