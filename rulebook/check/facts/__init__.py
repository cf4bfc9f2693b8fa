"""What is known where a statement stands, and which effects that covers."""
