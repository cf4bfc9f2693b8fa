"""How things look: the hints, colours and drawings of what there is."""
