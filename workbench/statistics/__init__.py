"""What may be said of two variants by games of each: how much, how sure, in words."""

from importlib.util import find_spec

from workbench.errors import Refused

if find_spec("numpy") is None:
    raise Refused("numpy is needed", "pip install 'rulebook-lang[batch]'", status=1)
