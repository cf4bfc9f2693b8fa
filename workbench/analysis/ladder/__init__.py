"""How well bots play: games in which all meet in all seats, and ratings from them."""
