"""Python source text: expressions that know their precedence, and complete
functions.
"""
