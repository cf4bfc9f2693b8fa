"""What may be said of two variants by games of each: how much, how sure, in words."""
