"""Which version this is."""

from importlib import metadata

PACKAGE = "rulebook-lang"


def version() -> str | None:
    """The version that is installed; None where it is not."""
    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        return None
