"""Ladders: games in which all bots meet in all seats, and ratings from them."""
