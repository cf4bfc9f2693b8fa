"""Valuation of an economy: prices, saving times, shadow prices, unreachable content."""
