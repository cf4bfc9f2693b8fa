"""The worker process: the application, fenced in, for a foreign table or record."""
