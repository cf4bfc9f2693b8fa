"""Library of rules: shipped, installed, or in the user's files."""
