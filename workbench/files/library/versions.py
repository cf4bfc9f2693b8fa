"""Version of the installed package."""

from importlib import metadata

PACKAGE = "rulebook-lang"


def version() -> str | None:
    """Return the installed version, or None if the package is not installed."""
    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        return None
