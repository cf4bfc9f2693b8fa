"""Courses: the progress of a game on one of the engines; every `Game` has one."""
