"""Game at the terminal: prompts, input and output."""
