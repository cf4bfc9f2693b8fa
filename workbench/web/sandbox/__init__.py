"""Sandboxed checking of untrusted rule files in a child process."""
