"""Compilation of C code to a loaded library, with a cache shared by processes."""
