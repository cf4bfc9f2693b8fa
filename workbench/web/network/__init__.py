"""Network side of the server: its connections and its log."""
