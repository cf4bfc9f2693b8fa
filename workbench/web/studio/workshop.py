"""The workshop."""

from starlette.routing import Route

from workbench.web.host import Host


def routes(host: Host) -> list[Route]:
    """None yet."""
    return []
