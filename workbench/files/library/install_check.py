"""Installation check: the packages of one distribution, and the libraries they need.

All four packages must come from the same distribution, because other distributions on
package indexes use the same names. This module imports nothing
from this project, because it must run before a wrong package is imported.
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("variants", "rulebook", "interpreter", "workbench")
DISTRIBUTION = "rulebook-lang"
LIBRARIES = ("attrs", "lark", "networkx", "prompt_toolkit", "rich")
"""Libraries that every installation needs."""


def installation_error() -> str | None:
    """Return a message about a missing or wrong package, or None if all are right."""
    home = Path(__file__).resolve().parents[3]
    for package in PACKAGES:
        folder = _package_folder(package)
        if folder is None:
            return f"the package `{package}` is missing; install {DISTRIBUTION} again"
        if folder != home / package:
            owner = _describe_owners(package) or "an unknown distribution"
            return (
                f"the package `{package}` in {folder} belongs to {owner}, not to "
                f"{DISTRIBUTION}; uninstall it and install {DISTRIBUTION} again"
            )
        if _is_overwritten(package, folder):
            return (
                f"the distribution `{package}` has written into {folder}; "
                f"uninstall it and install {DISTRIBUTION} again"
            )
    return None


def missing_libraries_error() -> str | None:
    """Return a message about libraries that are not installed, or None."""
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if not missing:
        return None
    are = "is" if len(missing) == 1 else "are"
    names = ", ".join(f"`{name}`" for name in missing)
    command = f"pip install {' '.join(missing)}"
    return f"{names} {are} not installed; install with `{command}`"


def _package_folder(package: str) -> Path | None:
    """Return the directory from which a package would be imported."""
    spec = find_spec(package)
    if spec is None:
        return None
    if spec.origin is None or Path(spec.origin).name != "__init__.py":
        origin = spec.origin or next(iter(spec.submodule_search_locations or ()), None)
        return Path(origin).resolve() if origin else None
    return Path(spec.origin).resolve().parent


def _is_overwritten(package: str, folder: Path) -> bool:
    """Return whether a distribution named like the package wrote into its folder."""
    if not any(_has_distribution(entry, package) for entry in sys.path):
        return False
    from importlib import metadata

    try:
        distribution = metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    paths = (Path(str(entry.locate())).resolve() for entry in distribution.files or ())
    return any(folder in path.parents for path in paths)


def _has_distribution(entry: str, package: str) -> bool:
    """Return whether a `sys.path` entry may contain a distribution named *package*.

    Only file names are checked, because this runs at every start.
    """
    try:
        names = os.listdir(entry or ".")  # noqa: PTH208  (a Path for each name is slow)
    except FileNotFoundError:
        return False
    except OSError:  # an archive, which `metadata` can read
        return True
    prefixes = (f"{package}-", f"{package}.egg")
    return any(name.lower().startswith(prefixes) for name in names)


def _describe_owners(package: str) -> str | None:
    """Describe the other distributions that own a package; return None if none do."""
    from importlib import metadata

    owners = set(metadata.packages_distributions().get(package, ()))
    names = sorted(owners - {DISTRIBUTION})
    return " and ".join(f"the distribution `{name}`" for name in names) or None
