"""What pyproject.toml cannot say: the pages of the documents lie in the package too."""

from setuptools import find_packages, setup

ROOMS = ("rulebook*", "interpreter*", "variants", "workbench*")
PAGES = {"workbench.pages": "docs/diagnostics"}

setup(packages=[*find_packages(include=ROOMS), *PAGES], package_dir=PAGES)
