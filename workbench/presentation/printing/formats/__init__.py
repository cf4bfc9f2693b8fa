"""A page as HTML, Markdown, PDF and plain data."""
