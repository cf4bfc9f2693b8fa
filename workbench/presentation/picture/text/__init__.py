"""Board pictures as text, for terminals."""
