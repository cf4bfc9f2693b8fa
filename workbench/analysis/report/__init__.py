"""Reports: one page that answers a question about two games, with its evidence."""
