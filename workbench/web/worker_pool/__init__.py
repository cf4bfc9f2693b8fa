"""Foreign rules: the pool of workers, and what the server keeps of their tables."""
