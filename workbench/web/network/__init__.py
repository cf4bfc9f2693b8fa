"""Network layer of the server: HTTP connections and logging."""
