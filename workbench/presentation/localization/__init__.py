"""Words for people, in the language of their choice."""
