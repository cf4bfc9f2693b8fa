"""The names and types of expressions: from syntax to typed model."""
