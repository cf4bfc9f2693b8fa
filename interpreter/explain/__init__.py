"""Explanations of why an action is legal or illegal."""
