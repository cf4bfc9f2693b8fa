"""What a checked model says of itself: who calls whom, what is read and written."""
