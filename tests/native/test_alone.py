"""Separate environments: without any compiler, and with only the zig wheel. Each takes
a minute and needs a package index, so they run only with `--deep`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import run_process

ROOT = Path(__file__).parents[2]

PROGRAM = """
import sys
from interpreter.native.build.loading import load_library
from interpreter.native.build.build_failure import NotBuilt
seen = '__attribute__((visibility("default")))'
text = f"{seen} int answer(void);{seen} int answer(void){{return 42;}}"
for kind in ("play", "quick", "verify"):
    library = load_library(text, kind)
    print(library if isinstance(library, NotBuilt) else library.answer())
"""


def environment(tmp_path: Path, extra: str) -> Path:
    """Return the Python of an environment in which the package is installed."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    install = ["-m", "pip", "install", "--quiet", f"{ROOT}{extra}"]
    subprocess.run([python, *install], check=True)
    return python


def run(python: Path, *words: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a Python with a nearly empty environment."""
    given: Mapping[str, str] = {"PATH": "", "XDG_CACHE_HOME": str(home)}
    return run_process([python, *words], env=given, cwd=home, check=True)


def cache(python: Path, home: Path) -> Any:
    return json.loads(
        run(python, "-m", "workbench", "cache", "--json", home=home).stdout
    )


def simulated(python: Path, home: Path) -> tuple[str, str]:
    """Return the engine that simulates a shipped file, and the message about it."""
    words = ["-m", "workbench", "simulate", "base", "--games", "50", "--json"]
    done = run(python, *words, "--players", "2", home=home)
    return json.loads(done.stdout)["engine"], done.stderr


@pytest.fixture
def long(*, deep: bool) -> None:
    if not deep:
        pytest.skip("a minute, and a package index: run with --deep")


@pytest.mark.usefixtures("long")
def test_without_any_compiler(tmp_path: Path) -> None:
    python = environment(tmp_path, "")

    said = run(python, "-c", PROGRAM, home=tmp_path).stdout.splitlines()

    assert len(said) == 3
    assert all("no C compiler was found; install one" in line for line in said)
    assert cache(python, tmp_path)["compiler"] is None
    engine, told = simulated(python, tmp_path)
    assert engine == "reference"
    assert "no C compiler was found; install one" in told


@pytest.mark.usefixtures("long")
def test_with_zig_alone(tmp_path: Path) -> None:
    python = environment(tmp_path, "[native]")

    for _ in range(2):
        said = run(python, "-c", PROGRAM, home=tmp_path).stdout.splitlines()
        assert said == ["42", "42", "42"]

    document = cache(python, tmp_path)
    assert document["compiler"] == "zig"
    files = {row["kind"]: row["files"] for row in document["kept"]}
    assert files["engines"] == 3
    assert files["left behind"] == 0
    assert simulated(python, tmp_path) == ("native", "")
