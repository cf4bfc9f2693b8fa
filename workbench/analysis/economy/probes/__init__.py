"""Probes of the engine, which measure the income of turns in prepared positions."""
