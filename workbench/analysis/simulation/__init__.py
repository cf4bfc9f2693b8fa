"""Simulation of many games between bots, and their results."""
