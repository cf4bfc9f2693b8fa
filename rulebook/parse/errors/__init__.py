"""Where the grammar could not go on: what was meant, in words for people."""
