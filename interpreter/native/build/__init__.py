"""From a text in C to a library that is loaded; kept from one process to the next"""
