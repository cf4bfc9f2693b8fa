"""Generator of the Python program that a plan runs."""
