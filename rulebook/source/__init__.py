"""Texts and places in them: files, spans, diagnostics and how they are shown."""
