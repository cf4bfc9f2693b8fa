"""Check that the four packages come from the same distribution."""

import os
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.processes import run_process
from workbench.files.library import install_check

ROOT = Path(__file__).parents[2]


def test_accepts_this_installation() -> None:
    assert install_check.installation_error() is None


@pytest.mark.parametrize("package", ["rulebook", "interpreter", "variants"])
def test_a_foreign_package_is_named_with_its_distribution(
    package: str, tmp_path: Path
) -> None:
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").touch()
    info = tmp_path / f"foreign_{package}-3.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: foreign-{package}\nVersion: 3\n")
    (info / "top_level.txt").write_text(f"{package}\n")
    (info / "RECORD").write_text(f"{package}/__init__.py,,\n")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}

    done = run_process(
        [sys.executable, "-m", "workbench", "variants"], cwd=tmp_path, env=environment
    )

    assert done.returncode == 2
    assert f"`foreign-{package}`" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_detects_files_of_a_distribution_with_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Path(install_check.__file__).parent
    info = tmp_path / "workbench-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: workbench\nVersion: 1\n")
    (info / "RECORD").write_text(f"{place}/__init__.py,,\n")
    monkeypatch.syspath_prepend(tmp_path)

    assert "distribution `workbench`" in (install_check.installation_error() or "")


@pytest.mark.parametrize("library", install_check.LIBRARIES)
def test_a_missing_library_is_named_in_one_line(library: str) -> None:
    block = f"import sys; sys.modules[{library!r}] = None"
    start = "from workbench.cli import main; sys.exit(main(['variants']))"

    done = run_process([sys.executable, "-c", f"{block}; {start}"], cwd=ROOT)

    assert done.returncode == 1
    assert done.stderr == (
        f"rulebook: `{library}` is not installed;"
        f" install with `pip install {library}`\n"
    )
    assert done.stdout == ""


def test_all_required_libraries_are_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    required = project["project"]["dependencies"]

    assert [text.split(">")[0] for text in required] == list(install_check.LIBRARIES)
