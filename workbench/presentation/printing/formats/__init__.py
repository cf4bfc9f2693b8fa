"""Output formats of a page: HTML, Markdown, PDF and JSON data."""
