"""Relations of hidden values to public ones, found in trial games."""
