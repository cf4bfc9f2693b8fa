"""What may come next on a command line, for the completion of shells."""
