"""Translation of syntax expressions to typed model expressions."""
