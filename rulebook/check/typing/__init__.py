"""Typing of expressions: from syntax to typed model expressions."""
