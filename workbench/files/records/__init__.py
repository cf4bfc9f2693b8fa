"""Records as files: written, read, repaired, played again."""
