"""Console output with rich: colours, wrapping, tables and progress bars."""
