"""Texts and places in them: files, spans, diagnostics and their rendering."""
