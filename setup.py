"""What pyproject.toml cannot say: pages and examples lie in the package too.

So do the parser's tables, which are made when the wheel is built.
"""

import sys
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent

ROOMS = ("rulebook*", "interpreter*", "variants", "workbench*")
PAGES = {
    "workbench.pages": "docs/diagnostics",
    "workbench.shown.first": "examples/first",
    "workbench.shown.games": "examples/games",
    "workbench.shown.tiny": "examples/tiny",
}


class BuildWithTables(build_py):
    """Makes the parser's tables beside the copied modules; a checkout has none."""

    def run(self) -> None:
        """Copy the modules, and make the tables unless they stay where they are."""
        super().run()
        if self.editable_mode:
            return
        sys.path.insert(0, str(HERE))
        from rulebook.parse import parser, parser_tables

        place = Path(self.build_lib) / parser_tables.SHIPPED_TABLES.relative_to(HERE)
        place.write_text(parser.tables_text(), encoding="utf-8")


setup(
    packages=[*find_packages(include=ROOMS), *PAGES],
    package_dir=PAGES,
    cmdclass={"build_py": BuildWithTables},
)
