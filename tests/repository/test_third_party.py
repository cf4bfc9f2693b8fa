"""THIRD_PARTY.md lists every file and package of others, with version and licence."""

import hashlib
import json
import re
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import attrs

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "THIRD_PARTY.md"
BLOCK = re.compile(r"<!-- vendored: [^\n]*-->\n(.*?)<!-- end -->", re.DOTALL)
PACKAGES = ("rulebook", "interpreter", "variants", "workbench")
VENDOR = "vendor"
OURS = (".entry.js", ".LICENSE.txt")
"""Suffixes of files next to vendored ones: our own recipe, and licences."""
SCRIPTS = {".js", ".mjs", ".css", ".woff", ".woff2", ".ttf", ".otf", ".wasm"}
FOREIGN = re.compile(
    rb"(?i)copyright|\blicen[cs]e|@preserve|sourceMappingURL|[^\n]{2000}"
)
"""Pattern that marks a script or a style sheet as written by others."""


@attrs.frozen
class Row:
    """Row of the page."""

    file: str
    what: str
    version: str
    licence: str
    text: str
    checksum: str


def rows() -> list[Row]:
    """Return the rows of the page."""
    table = BLOCK.findall(PAGE.read_text(encoding="utf-8"))[0].strip().splitlines()[2:]
    cells = (
        [cell.strip(" `") for cell in line.strip("|").split("|")] for line in table
    )
    return [Row(*row) for row in cells]


def tracked() -> list[Path]:
    """Return the tracked files of the repository; outside git, all existing files."""
    asked = ["git", "ls-files", "-co", "--exclude-standard"]
    try:
        told = subprocess.run(asked, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return [path for path in ROOT.rglob("*") if path.is_file()]
    names = told.stdout.decode().splitlines()
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def vendored() -> set[str]:
    """Return the vendored files: those in vendor folders, and scripts or style sheets
    that look vendored.
    """
    files = set()
    for path in tracked():
        inside = path.relative_to(ROOT)
        if VENDOR in inside.parts:
            if not path.name.endswith(OURS):
                files.add(inside.as_posix())
        elif path.suffix in SCRIPTS and FOREIGN.search(path.read_bytes()):
            files.add(inside.as_posix())
    return files


def in_wheel() -> set[str]:
    """Return the files in the wheel that are not Python."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]
    return {
        path.relative_to(ROOT).as_posix()
        for package, wanted in patterns.items()
        for pattern in wanted
        for path in (ROOT / package.replace(".", "/")).glob(pattern)
    }


def test_the_page_lists_every_vendored_file() -> None:
    """A file that others wrote is in the table, and each row has its file."""
    assert sorted(row.file for row in rows()) == sorted(vendored())


def test_each_vendored_file_has_its_checksum_version_and_licence() -> None:
    """The file has the checksum of its row, and its licence text names the licence."""
    for row in rows():
        data = (ROOT / row.file).read_bytes()
        assert hashlib.sha256(data).hexdigest() == row.checksum, row.file
        assert re.search(r"\d+\.\d+", row.version), row.file
        licence = (ROOT / row.text).read_text(encoding="utf-8")
        named = row.licence.partition("-")[0] in licence or "Mozilla" in licence
        assert named, row.file
        assert len(licence) > 500, row.file


def test_a_vendored_file_in_the_wheel_has_its_licence_there() -> None:
    """A file of a package is in the wheel with its licence; no other file is."""
    shipped = in_wheel()
    for row in rows():
        if row.file.startswith(PACKAGES):
            assert {row.file, row.text} <= shipped, row.file
        else:
            assert row.file not in shipped


def test_each_package_of_the_bundle_is_listed_with_its_version_and_text() -> None:
    """Packages bundled for the browser are listed and have their licence texts."""
    page = PAGE.read_text(encoding="utf-8")
    packages = re.findall(r"^\| `([\w@/-]+)` \| ([\d.]+) \|$", page, re.MULTILINE)
    assert len(packages) > 10
    folder = ROOT / "workbench" / "web" / "static" / VENDOR
    licences = (folder / "codemirror.LICENSE.txt").read_text(encoding="utf-8")
    entry = (folder / "codemirror.entry.js").read_text(encoding="utf-8")
    recipe = page.partition("```sh")[2].partition("```")[0]
    for name, version in packages:
        assert f"\n{name} {version}\n" in licences
    for name in re.findall(r'from "([^"]+)"', entry):
        assert f"{name}@{dict(packages)[name]}" in recipe


def test_the_page_is_in_the_wheel() -> None:
    """THIRD_PARTY.md is one of the licence files of the package."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert PAGE.name in settings["project"]["license-files"]


def bundled() -> dict[str, tuple[str, str]]:
    """Return the npm packages of the VS Code extension: versions and licences."""
    lock = ROOT / "editors" / "vscode" / "package-lock.json"
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    return {
        place.rpartition("node_modules/")[2]: (given["version"], given["license"])
        for place, given in packages.items()
        if place and not given.get("dev")
    }


def test_each_package_of_the_extension_is_listed_with_its_text() -> None:
    """npm packages in the VS Code extension are listed and have their licence texts."""
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w@/-]+)` \| ([\d.]+) \| (\w+) \|$", page, re.MULTILINE)
    assert {name: (version, said) for name, version, said in rows} == bundled()
    folder = ROOT / "editors" / "vscode"
    text = (folder / "THIRD_PARTY.LICENSE.txt").read_text(encoding="utf-8")
    parts = re.split(r"\n-{70}\n\n", text.partition("\n\n")[2])
    assert len(parts) == len(rows)
    for part, (name, version, _) in zip(parts, rows, strict=True):
        assert part.startswith(f"{name} {version}\n")
        assert "copyright" in part.casefold()
        assert len(part) > 500
    ignored = (folder / ".vscodeignore").read_text(encoding="utf-8").splitlines()
    assert not [it for it in ignored if fnmatch("THIRD_PARTY.LICENSE.txt", it)]
