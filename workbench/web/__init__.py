"""Web server for games in the browser; players join through secret links."""
