"""Many games by bots, and what they came to."""
