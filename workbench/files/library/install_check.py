"""Do the four packages come from one place? All four names exist on package indexes.

Imports nothing of ours: it must run before a foreign package is imported.
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("variants", "rulebook", "interpreter", "workbench")
DISTRIBUTION = "rulebook-lang"


def complaint() -> str | None:
    """Say which package is foreign, or None when all come from one place."""
    home = Path(__file__).resolve().parents[3]
    for package in PACKAGES:
        place = _place(package)
        if place is None:
            return f"the package `{package}` is missing; install {DISTRIBUTION} again"
        if place != home / package:
            owner = _owner(package) or "an unknown distribution"
            return (
                f"the package `{package}` in {place} belongs to {owner}, not to "
                f"{DISTRIBUTION}; uninstall it and install {DISTRIBUTION} again"
            )
        if _overwritten(package, place):
            return (
                f"the distribution `{package}` has written into {place}; "
                f"uninstall it and install {DISTRIBUTION} again"
            )
    return None


def _place(package: str) -> Path | None:
    """The directory a package would be imported from."""
    spec = find_spec(package)
    if spec is None:
        return None
    if spec.origin is None or Path(spec.origin).name != "__init__.py":
        origin = spec.origin or next(iter(spec.submodule_search_locations or ()), None)
        return Path(origin).resolve() if origin else None
    return Path(spec.origin).resolve().parent


def _overwritten(package: str, place: Path) -> bool:
    """Whether a distribution of the package's own name has files in its directory."""
    if not any(_has_distribution(entry, package) for entry in sys.path):
        return False
    from importlib import metadata

    try:
        foreign = metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    written = (Path(str(entry.locate())).resolve() for entry in foreign.files or ())
    return any(place in path.parents for path in written)


def _has_distribution(entry: str, package: str) -> bool:
    """Whether a place of packages may have a distribution of a name.

    Only the names there are looked at, for this is asked at every start.
    """
    try:
        names = os.listdir(entry or ".")  # noqa: PTH208  (a Path for each is slow)
    except FileNotFoundError:
        return False
    except OSError:  # an archive: what is in it, `metadata` knows
        return True
    starts = (f"{package}-", f"{package}.egg")
    return any(name.lower().startswith(starts) for name in names)


def _owner(package: str) -> str | None:
    """The distributions that say they own a package, as a phrase."""
    from importlib import metadata

    owners = set(metadata.packages_distributions().get(package, ()))
    names = sorted(owners - {DISTRIBUTION})
    return " and ".join(f"the distribution `{name}`" for name in names) or None
