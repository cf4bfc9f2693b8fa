"""Values that a C program keeps, and places of a board by their content."""
