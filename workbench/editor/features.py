"""What the server answers: a table of requests, each with what makes its answer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from workbench.editor.told import Telling


@attrs.frozen
class Feature:
    """A request of the protocol, and what answers it for a file."""

    method: str
    answer: Callable[[Telling, Path, Any], Any]
    options: Any = None


FEATURES: tuple[Feature, ...] = ()
