"""Facts about the grammar's words and lines, for code that reads no trees."""
