"""The network side of the server: its connections and its log."""
