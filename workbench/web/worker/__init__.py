"""Worker process: the sandboxed application for a foreign table or record."""
