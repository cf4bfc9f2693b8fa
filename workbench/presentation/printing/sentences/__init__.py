"""From parts of the rules to sentences: templates and what fills them."""
