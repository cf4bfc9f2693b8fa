"""Printed rulebook: the rules in sentences, with their citations."""
