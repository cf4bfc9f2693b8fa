"""What is fixed before play: cells, members, actions, and how they are counted."""
