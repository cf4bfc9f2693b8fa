"""Public CI runs what `.ci/run` runs, on the oldest supported version of Python."""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / ".ci" / "run"


def job() -> dict[str, Any]:
    """Return the job of the workflow."""
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    (only,) = yaml.safe_load(text)["jobs"].values()
    return dict(only)


def test_ci_runs_the_script_after_it_installs_a_browser_and_node() -> None:
    """The last step of the public workflow is `.ci/run`, with all that it needs."""
    steps = [step.get("run") or step["uses"] for step in job()["steps"]]

    assert steps[-1] == SCRIPT.relative_to(ROOT).as_posix()
    assert os.access(SCRIPT, os.X_OK)
    assert any("actions/setup-node@" in step for step in steps)
    assert any(re.search(r"apt-get install .*\bchromium\b", step) for step in steps)


def test_ci_uses_the_oldest_supported_python() -> None:
    """The image has the version that `requires-python` names."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    oldest = tomllib.loads(text)["project"]["requires-python"].removeprefix(">=")

    assert job()["container"].startswith(f"python:{oldest}-")


def test_the_script_builds_the_site_strictly_outside_of_the_checkout() -> None:
    """A warning of the site, such as a dead link, fails `.ci/run`."""
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    (build,) = [line for line in lines if "mkdocs build" in line]

    assert "--strict" in build
    assert "--quiet" not in build  # would hide warnings from --strict
    assert '--site-dir "$scratch/' in build
