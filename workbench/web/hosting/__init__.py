"""Components of the host: bots, presence, worker requests and table creation."""
