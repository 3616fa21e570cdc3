"""What the diagonal kernels of the games share, from where it is at home now."""

from cardgames_dp._antidiagonals import antidiagonal
from cardgames_dp._memory import TooLargeError, physical_memory, refuse_too_large

__all__ = [
    "TooLargeError",
    "antidiagonal",
    "physical_memory",
    "refuse_too_large",
]
