"""Quantiles of the normal and Student's t distributions, and intervals for shares."""

from functools import lru_cache
from math import exp, lgamma, pi, sqrt, tan
from statistics import NormalDist
from typing import Any

import numpy as np

INTEGRATION_NODES = 200
"""Number of nodes for numerical integration; exact to twelve digits."""

HALVINGS = 60

NORMAL_DEGREES = 400
"""Degrees of freedom from which the normal distribution approximates Student's t."""


def normal_quantile(probability: float) -> float:
    """Return the quantile of the standard normal distribution."""
    return NormalDist().inv_cdf(probability)


@lru_cache(maxsize=4096)
def student_quantile(probability: float, degrees_of_freedom: int) -> float:
    """Return the quantile of Student's t distribution; the probability must exceed 0.5.

    With t = √n · tan θ, the distribution function is an integral of cosⁿ⁻¹ from 0 to θ.
    Bisection finds the angle.
    """
    if degrees_of_freedom >= NORMAL_DEGREES:
        return normal_quantile(probability)
    below, above = 0.0, pi / 2
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        if 0.5 + student_probability(middle, degrees_of_freedom) < probability:
            below = middle
        else:
            above = middle
    return sqrt(degrees_of_freedom) * tan(below)


@lru_cache(maxsize=1)
def gauss_legendre_nodes() -> tuple[Any, Any]:
    """Return the nodes and weights of Gauss-Legendre integration from -1 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(INTEGRATION_NODES)
    return nodes, weights


def student_probability(angle: float, degrees_of_freedom: int) -> float:
    """Return the probability of 0 < t < √*degrees_of_freedom* · tan(*angle*)."""
    nodes, weights = gauss_legendre_nodes()
    x = angle / 2 * (nodes + 1)
    area = float(np.sum(weights * np.cos(x) ** (degrees_of_freedom - 1))) * angle / 2
    return (
        area
        * exp(lgamma((degrees_of_freedom + 1) / 2) - lgamma(degrees_of_freedom / 2))
        / sqrt(pi)
    )


def wilson_interval(
    successes: int, games: int, confidence: float = 0.95
) -> tuple[float, float]:
    """Return Wilson's interval of a share; *confidence* is the confidence level."""
    if not games:
        return 0.0, 1.0
    z = normal_quantile((1 + confidence) / 2)
    share, weight = successes / games, z * z / games
    middle = (share + weight / 2) / (1 + weight)
    half = z * sqrt(share * (1 - share) / games + weight / games / 4) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)
