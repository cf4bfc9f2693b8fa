"""A board in letters, for terminals."""
