"""Reader for record files, which may end with a truncated line."""

import json
import sys

from interpreter import RecordError
from rulebook import printable_line, read_file
from workbench.errors import RequestError

MAX_RECORD_BYTES = 64_000_000
"""Maximum size of a record in bytes."""


def read_record(path: str) -> str:
    """Return the text of a record, and report a truncated last line on standard error.

    Raise `RequestError` if it is too long, or `RecordError` if it is not UTF-8.
    """
    text, truncated_line = load_record(path)
    if truncated_line:
        lines = text.count("\n")
        sys.stderr.write(
            f"rulebook: {printable_line(path)}: line {lines + 1} is incomplete; using"
            f" the game up to line {lines}\n"
        )
    return text


def load_record(path: str) -> tuple[str, bytes]:
    """Return the valid text of a record, and the bytes of its truncated last line.

    Raise `RequestError` if it is too long, or `RecordError` if it is not UTF-8.
    """
    data = read_file(path, MAX_RECORD_BYTES)
    complete = complete_lines(data)
    return decode_record(complete, path), data[len(complete) :]


def decode_record(data: bytes, path: str) -> str:
    """Return the text of a record.

    Raise `RequestError` if it is too long, or `RecordError` if it is not UTF-8.
    """
    if len(data) > MAX_RECORD_BYTES:
        raise RequestError(
            f"{path} is larger than {MAX_RECORD_BYTES:,} bytes", exit_code=1
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line_count = data.count(b"\n", 0, error.start)
        byte = f"0x{data[error.start]:02X}"
        raise RecordError(
            f"byte {byte} is not UTF-8", step=line_count - 1 if line_count else None
        ) from error


def complete_lines(data: bytes) -> bytes:
    """Return a record without a last line that was truncated during writing.

    Trailing zero bytes, which a power failure can leave, are removed too.
    """
    content = data.rstrip(b"\0")
    last = content[content.rfind(b"\n") + 1 :]
    is_truncated = last.startswith(b"{") and not _is_json(last)
    return (content[: -len(last)] if is_truncated else content) or data


def _is_json(line: bytes) -> bool:
    """Return whether a line is complete JSON, or nested too deeply to check."""
    try:
        json.loads(line, parse_int=str)
    except ValueError:
        return False
    except RecursionError:
        return True
    return True
