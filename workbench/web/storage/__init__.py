"""What is kept of a table: its journal, and what is read from it line by line."""
