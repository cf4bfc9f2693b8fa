"""Records as files: writing, reading, repair and replay."""
