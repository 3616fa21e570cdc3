"""The regressions that the Problem 14 essay prints, digit for digit, and their data.

The Problem 14 essay is the essay "Problem 14 Dynamic Programming Solutions". Its
regressions are those of R's ``lm``. The data, which it links to, are the output of a C
program, V(0) to V(22974) line by line, and single values.

What the data were
------------------
The C program holds two rows of single precision and computes a cell as

    ``p (V(r-1, b) + 1) + q (V(r, b-1) - 1)``,  p = r / n, q = b / n, n = r + b,

the sums in brackets in single precision, the rest in double. Compiled as the essay
says, for the processor at hand, it may round the first product and the outer sum at
once: a fused multiply-add of p, V + 1 and the product with q. Output to a file is
buffered, and a program that is stopped leaves a whole number of blocks: 56 blocks of
4096 bytes end two digits after the point of V(22974), which explains why that deck is
the last. With both, the fused sum and the last value 79.11 for 79.113052, *every digit
of all four regressions is that of the essay*. Without the fused sum, the intercept
of SQRT is -0.0186920 for -0.0186936, without the cut -0.0186940; other sums that a
compiler may fuse, of which we tried three, miss it too. The file itself we have not
seen.

All these are figures of single precision: V(22974) is 79.116529.
"""

import functools
import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import redblack

LARGEST: Final = 22_974
"""The last deck of the file."""

BUFFER: Final = 4096
BLOCKS: Final = 56

V100000: Final = (100_000, 165.076)
V_LARGEST: Final = (133_787_000, 6038.22)


class Printed(NamedTuple):
    """A regression as printed: quantiles, then estimate, error and t of each term."""

    quantiles: tuple[str, ...]
    coefficients: tuple[tuple[str, str, str], ...]
    error: str
    freedom: int
    r_squared: tuple[str, str]
    f: tuple[str, int]


LOG: Final = Printed(
    ("-6.62279", "-4.98638", "-1.00526", "3.96333", "107.14550"),
    (
        ("-106.6454973", "0.3724555", "-286.331"),
        ("17.6267169", "0.0409405", "430.545"),
    ),
    "6.19828",
    22_973,
    ("0.889734", "0.889729"),
    ("185369", 1),
)
SQRT: Final = Printed(
    ("-0.05298383", "-0.00071444", "0.00047093", "0.00121099", "0.01869362"),
    (
        ("-1.86936e-02", "3.70052e-05", "-505.163"),
        ("5.22088e-01", "3.45212e-07", "1512369.327"),
    ),
    "0.00187101",
    22_974,
    ("1", "1"),
    ("2.28726e+12", 1),
)
LOG_SQRT: Final = Printed(
    ("-80.34388", "-1.34909", "-0.15215", "1.34937", "26.80501"),
    (
        ("-2.66931e+01", "1.72306e-01", "-154.917"),
        ("4.40946e+00", "2.66876e-02", "165.225"),
        ("3.91493e-01", "7.45612e-04", "525.063"),
    ),
    "2.68411",
    91_897,
    ("0.978735", "0.978735"),
    ("2.11482e+06", 2),
)
SQRT_REFIT: Final = Printed(
    ("-0.10346355", "0.00010533", "0.00071383", "0.00105519", "0.00453808"),
    (
        ("-1.46229e-02", "2.54948e-05", "-573.563"),
        ("5.22048e-01", "1.93756e-07", "2694354.736"),
    ),
    "0.00245711",
    22_974,
    ("1", "1"),
    ("7.25955e+12", 1),
)

PREDICTIONS: Final = {
    10**5: "165.080028",
    10**6: "522.0",
    10**7: "1650.96",
    10**8: "5220.86",
    10**9: "16509.85",
    10**10: "52208.78",
    10**11: "165098.70",
    133_787_000: "6038.78162",
}
"""By the printed coefficients of SQRT."""

REFIT_PREDICTION: Final = (133_787_000, "6038.32303")


def printed_file() -> NDArray[np.float64]:
    """Return what the file says that the decks 0, ..., 22,974 are worth."""
    lines = "".join(f"{value:f}\n" for value in single_precision(LARGEST).tolist())
    return np.array(lines[: BUFFER * BLOCKS].split(), dtype=np.float64)


@functools.cache
def deck_values() -> NDArray[np.float64]:
    """Return V(1), ..., V(22974) in double precision."""
    return redblack.value(range(1, LARGEST + 1), range(1, LARGEST + 1))


def single_precision(largest: int) -> NDArray[np.float32]:
    """Return V(0), ..., V(largest) as the C program has them.

    Of each antidiagonal only the cells within 8 standard deviations of what a balanced
    deck passes through are swept; up to 22,974 all cells, swept by a C program with the
    same roundings, give the same printed digits.
    """
    reach = max(8, math.ceil(8 * math.sqrt(largest / 8)))
    worth = np.zeros(largest + 2, dtype=np.float32)  # by red; black = n - red
    found = np.zeros(largest + 1, dtype=np.float32)
    for n in range(1, 2 * largest + 1):
        first = max(1, n - largest, n // 2 - reach)
        last = min(largest, n, n // 2 + reach)
        red = np.arange(first, last + 1)
        drew_red = worth[first - 1 : last] + np.float32(1)
        drew_black = worth[first : last + 1] - np.float32(1)
        draw = fused(red / n, drew_red, (n - red) / n * drew_black)
        worth[first : last + 1] = np.maximum(draw, 0)
        if n % 2 == 0:
            found[n // 2] = worth[n // 2]
    return found


def fused(
    p: NDArray[np.float64], single: NDArray[np.float32], added: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return p * single + added, rounded once.

    Parts of p of 24 and 29 bits have exact products with the 24 bits of `single`; what
    the sums lose is found without error (Dekker, Knuth).
    """
    high = p.astype(np.float32)
    parts = high.astype(np.float64) * single, (p - high) * single
    product = parts[0] + parts[1]
    lost = parts[1] - (product - parts[0])
    total = product + added
    back = total - product
    lost += (product - (total - back)) + (added - back)
    return total + lost
