"""Print `N passed, M failed` of a JUnit file; exit 1 unless all is well."""

import sys
import xml.etree.ElementTree as ET  # the file is pytest's own


def main(path: str, status: str) -> int:
    """The exit code: 0 when something ran and nothing failed."""
    counts = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    try:
        suites = list(ET.parse(path).getroot().iter("testsuite"))  # noqa: S314
    except (OSError, ET.ParseError):
        suites = []
    for suite in suites:
        for name in counts:
            counts[name] += int(suite.get(name, "0"))
    failed = counts["failures"] + counts["errors"]
    passed = counts["tests"] - failed - counts["skipped"]
    if failed == 0 and (passed == 0 or status != "0"):
        failed = 1
    sys.stdout.write(f"{passed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
