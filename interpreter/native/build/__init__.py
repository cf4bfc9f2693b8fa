"""Compiling C source to a loaded library, with a cache shared by processes."""
