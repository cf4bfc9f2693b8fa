"""Generation of Python source: expressions with their precedence, and functions."""
