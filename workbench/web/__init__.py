"""Server for games in the browser: stored line by line, open to holders of a link."""
