"""Relations between hidden and public values, found in trial games."""
