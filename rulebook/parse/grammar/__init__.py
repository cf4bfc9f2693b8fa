"""What the grammar says of its words and lines, for those that read no trees."""
