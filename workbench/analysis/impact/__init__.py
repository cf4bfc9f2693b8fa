"""Impact of changed rules on recorded games: first differences and their causes."""
