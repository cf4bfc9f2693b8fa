"""Printers of kernel operations as C."""
