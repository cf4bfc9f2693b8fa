"""Files that are replaced whole or not at all."""

from pathlib import Path

from rulebook import Diagnostic, RulesError, decode


def read_rules(path: Path) -> str:
    """The text of a rule file.

    Raises `rulebook.RulesError` when it is no text, `OSError` when it is not there.
    """
    text = decode(path.read_bytes(), str(path))
    if isinstance(text, Diagnostic):
        raise RulesError((text,))
    return text


def replace_text(path: Path, text: str) -> None:
    """Put a text in the place of what a file held; never is it half there."""
    whole = path.with_name(path.name + ".part")
    whole.write_text(text, encoding="utf-8", newline="\n")
    if path.exists():
        whole.chmod(path.stat().st_mode)
    whole.replace(path.resolve())
