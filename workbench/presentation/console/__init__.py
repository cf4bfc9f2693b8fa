"""Console output: colours, widths, tables and progress on any stream, using rich."""
