"""Information about the words and lines of the grammar, without parsing."""
