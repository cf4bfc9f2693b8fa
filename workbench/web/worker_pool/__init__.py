"""Worker processes for untrusted rules, and the server's side of their tables."""
