"""Shared code of the commands: declarations, dispatch, output and error messages."""
