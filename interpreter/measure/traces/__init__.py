"""What happened in games as rows of numbers, the same by either engine."""
