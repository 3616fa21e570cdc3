"""What the diagonal kernels of the games share, from where it is at home now."""

from cardgames_dp._antidiagonals import antidiagonal
from cardgames_dp._memory import TooLargeError, physical_memory, refuse_too_large
from cardgames_dp._scaled import Scaled, binomial, power, relative_error

__all__ = [
    "Scaled",
    "TooLargeError",
    "antidiagonal",
    "binomial",
    "physical_memory",
    "power",
    "refuse_too_large",
    "relative_error",
]
