"""Commands that measure many games: simulations, comparisons, ladders and sweeps."""
