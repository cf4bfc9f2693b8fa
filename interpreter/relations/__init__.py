"""Relations that hidden values keep to public ones, found in trial games."""
