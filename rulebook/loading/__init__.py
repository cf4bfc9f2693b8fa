"""From files to a rulebook, and what a rulebook can be asked."""
