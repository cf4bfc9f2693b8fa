"""The files that show a fault are read by the tests beside them, not collected."""

collect_ignore_glob = ["*/*"]
