"""What the engine is asked: what turns bring, on what board, with what pieces."""
