"""Formatter for C code: comments and indentation."""

from __future__ import annotations

import re

PLAIN = re.compile(r"[^A-Za-z0-9 _.,:()/=-]")


def comment(text: str) -> str:
    """Return a text made safe for a C comment.

    >>> comment("a */ b")
    'a ./ b'
    """
    return PLAIN.sub(".", text)


def is_comment(line: str) -> bool:
    """Return whether a line of C consists only of a comment."""
    return line.startswith("/* ") and line.endswith(" */")


def indented(text: str) -> str:
    """Return C code with its lines indented by the depth of their braces."""
    lines, deep = [], 0
    for line in text.split("\n"):
        opened, closed = line.count("{"), line.count("}")
        leads = len(line) - len(line.lstrip("} "))
        here = deep - line[:leads].count("}")
        is_own = line.startswith((" ", "#", "/*"))
        lines.append(line if is_own or not line else f"{'  ' * max(0, here)}{line}")
        deep += opened - closed
    return "\n".join(lines)
