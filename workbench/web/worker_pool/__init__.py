"""Pool of worker processes for untrusted rules, and the server side of their tables."""
