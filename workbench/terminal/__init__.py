"""Games at the terminal: prompts, keyboard input and screen output."""
