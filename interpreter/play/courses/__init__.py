"""Courses: the progress of a game on either engine; `Game` has one of them."""
