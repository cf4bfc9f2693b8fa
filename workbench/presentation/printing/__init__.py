"""Printed rulebook: the rules of a game in sentences, with their citations."""
