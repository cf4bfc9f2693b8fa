"""What is fixed for one game: its plan, and the rules made ready for it."""
