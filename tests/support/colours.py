"""Distance between two colours for each kind of colour vision.

Dichromacy follows Machado, Oliveira and Fernandes (2009), severity 1, in linear light.
The distance is CIE 1976, in which 2 is just noticeable.
"""

from math import dist

Triple = tuple[float, float, float]
SIGHTS: dict[str, tuple[Triple, Triple, Triple]] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1.0, 1.08883)


def apart(colour: str, beside: str) -> dict[str, float]:
    """Return the distance between two colours for each kind of colour vision."""
    return {
        name: dist(_lab(_seen(colour, matrix)), _lab(_seen(beside, matrix)))
        for name, matrix in SIGHTS.items()
    }


def _times(matrix: tuple[Triple, Triple, Triple], values: Triple) -> Triple:
    first, second, third = (
        sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix
    )
    return first, second, third


def _seen(colour: str, matrix: tuple[Triple, Triple, Triple]) -> Triple:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    first, second, third = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    )
    red, green, blue = (
        min(max(part, 0.0), 1.0) for part in _times(matrix, (first, second, third))
    )
    return red, green, blue


def _lab(linear: Triple) -> Triple:
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (a / b for a, b in zip(_times(XYZ, linear), WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
