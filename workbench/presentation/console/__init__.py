"""What people read: colours, widths, tables and progress on any stream, by rich."""
