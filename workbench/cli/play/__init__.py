"""Commands to play games, in the terminal or the browser, and to read their records."""
