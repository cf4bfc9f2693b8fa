"""Queries on a checked model: who calls whom, and what is read and written."""
