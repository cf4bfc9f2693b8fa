"""Cards with their faces: the hand, cards on the table, and costs."""
