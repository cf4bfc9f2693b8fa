"""Types of expressions: from syntax to a typed model."""
