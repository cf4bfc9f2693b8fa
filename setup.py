"""What pyproject.toml cannot say: pages and examples lie in the package too."""

from setuptools import find_packages, setup

ROOMS = ("rulebook*", "interpreter*", "variants", "workbench*")
PAGES = {
    "workbench.pages": "docs/diagnostics",
    "workbench.shown.first": "examples/first",
    "workbench.shown.games": "examples/games",
    "workbench.shown.tiny": "examples/tiny",
}

setup(packages=[*find_packages(include=ROOMS), *PAGES], package_dir=PAGES)
