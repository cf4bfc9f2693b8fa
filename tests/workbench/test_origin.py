"""Check that the four packages come from the same distribution."""

import os
import sys
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
