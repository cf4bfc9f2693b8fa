"""Shared code of the commands: arguments, dispatch, output and failures."""
