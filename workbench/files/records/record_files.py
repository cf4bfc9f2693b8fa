"""Records as files: read as far as they are good."""

import json
import sys

from interpreter import RecordError
from rulebook import read_file, visible
from workbench.errors import Refused

BYTES_MAX = 64_000_000
"""Longest record that is read."""


def read(path: str) -> str:
    """The text of a record, as far as it is good; a last line cut off is said so.

    Raises `Refused` when it is too long, `RecordError` when it is not UTF-8.
    """
    text, torn = load_record(path)
    if torn:
        lines = text.count("\n")
        sys.stderr.write(
            f"rulebook: {visible(path)}: line {lines + 1} is incomplete; using"
            f" the game up to line {lines}\n"
        )
    return text


def load_record(path: str) -> tuple[str, bytes]:
    """The text of a record as far as it is good, and what is left of a last line.

    Raises `Refused` when it is too long, `RecordError` when it is not UTF-8.
    """
    data = read_file(path, BYTES_MAX)
    good = good_part(data)
    return text_of(good, path), data[len(good) :]


def text_of(data: bytes, path: str) -> str:
    """The text of a record's bytes. Raises as `read` does."""
    if len(data) > BYTES_MAX:
        raise Refused(f"{path} is larger than {BYTES_MAX:,} bytes", status=1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data.count(b"\n", 0, error.start)
        byte = f"0x{data[error.start]:02X}"
        raise RecordError(
            f"byte {byte} is not UTF-8", step=before - 1 if before else None
        ) from error


def good_part(data: bytes) -> bytes:
    """A record without a last line that was cut off while it was written.

    What a system that lost its power leaves at the end of a file are zero bytes.
    """
    whole = data.rstrip(b"\0")
    last = whole[whole.rfind(b"\n") + 1 :]
    cut = last.startswith(b"{") and not _is_json(last)
    return (whole[: -len(last)] if cut else whole) or data


def _is_json(line: bytes) -> bool:
    """Whether a line is whole; what is too deep or too long in it is left to others."""
    try:
        json.loads(line, parse_int=str)
    except ValueError:
        return False
    except RecursionError:
        return True
    return True
