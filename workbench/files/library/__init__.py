"""Library of files: shipped and installed rules, the user's files, and caches."""
