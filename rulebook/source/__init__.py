"""Source texts: files, spans, diagnostics and their rendering."""
