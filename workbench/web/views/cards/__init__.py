"""Cards of a page: faces, the hand, cards on the table, and costs."""
