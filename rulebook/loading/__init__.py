"""Loading files as a rulebook, and the questions that a rulebook answers."""
