"""Worker process: the sandboxed application for an untrusted table or record."""
