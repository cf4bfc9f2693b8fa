"""Deprecated names in a module, which still work but emit a warning."""

import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any


def deprecated_names(module: str, new_names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a module that resolves its deprecated names.

    *new_names* maps an earlier name to the current one. Any other name raises
    `AttributeError`.
    """

    def get(name: str) -> Any:
        if name not in new_names:
            raise AttributeError(f"module `{module}` has no attribute `{name}`")
        new = new_names[name]
        message = f"`{module}.{name}` is deprecated: use `{new}`"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[module], new)

    return get
