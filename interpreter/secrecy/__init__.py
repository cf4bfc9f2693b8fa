"""Analysis of secrets: which statements depend on hidden information or reveal it."""
