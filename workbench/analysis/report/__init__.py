"""Reports: an HTML page that answers a question about variants, with its evidence."""
