"""Quantiles of the normal and Student's t distributions, and intervals for shares."""

from functools import lru_cache
from math import exp, lgamma, pi, sqrt, tan
from statistics import NormalDist
from typing import Any

import numpy as np

NODES = 200
"""Number of nodes for numerical integration; exact to twelve digits up to 500 degrees.
"""

HALVINGS = 60

LARGE = 400
"""Degrees of freedom from which the normal distribution approximates Student's t."""


def normal(probability: float) -> float:
    """Return the quantile of the standard normal distribution."""
    return NormalDist().inv_cdf(probability)


@lru_cache(maxsize=4096)
def student(probability: float, degrees: int) -> float:
    """Return the quantile of Student's t distribution; the probability must exceed 0.5.

    With t = √n · tan θ, the distribution function is an integral of cosⁿ⁻¹ from 0 to θ.
    Bisection finds the angle.
    """
    if degrees >= LARGE:
        return normal(probability)
    below, above = 0.0, pi / 2
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        if 0.5 + within(middle, degrees) < probability:
            below = middle
        else:
            above = middle
    return sqrt(degrees) * tan(below)


@lru_cache(maxsize=1)
def legendre() -> tuple[Any, Any]:
    """Return the nodes and weights of Gauss-Legendre integration from -1 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return nodes, weights


def within(angle: float, degrees: int) -> float:
    """Return the probability that t is between 0 and √*degrees* · tan(*angle*)."""
    nodes, weights = legendre()
    at = angle / 2 * (nodes + 1)
    area = float(np.sum(weights * np.cos(at) ** (degrees - 1))) * angle / 2
    return area * exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / sqrt(pi)


def wilson(successes: int, games: int, sure: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval of a share; *sure* is the confidence level."""
    if not games:
        return 0.0, 1.0
    z = normal((1 + sure) / 2)
    share, weight = successes / games, z * z / games
    middle = (share + weight / 2) / (1 + weight)
    half = z * sqrt(share * (1 - share) / games + weight / games / 4) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)
