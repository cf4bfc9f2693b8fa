"""Python source text: expressions with their precedence, and whole functions."""
