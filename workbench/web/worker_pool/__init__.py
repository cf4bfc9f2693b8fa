"""Foreign rules: the pool of workers, and the server's part of their tables."""
