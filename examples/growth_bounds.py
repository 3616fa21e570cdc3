"""Check the numbers in the proof that bounds the value of every balanced deck.

The appendix on large decks proves that l red and l black cards are worth

    kappa 4^l / C(2l, l) - b l^-lambda  to  kappa 4^l / C(2l, l) - a l^-lambda,

for all l from a given one on, by an induction that begins at a level of n cards. For
each level of `ROWS` this script checks what the induction needs: inequalities between
constants, in interval arithmetic, and the totals of all states of the level, in float64
with a bound on all rounding errors. For smaller decks it compares exact values. An
inequality that is not certain is an error.

It uses nothing of cardgames_dp, so that it can be read on its own. The arguments are
levels; without any it takes the first four, which takes seconds, and the last takes up
to a minute. It prints the constants, and by how much the inequalities hold.
"""

import itertools
import math
import sys
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from mpmath.ctx_iv import MPIntervalContext
from numpy.typing import NDArray

Floats = NDArray[np.float64]

IV: Any = MPIntervalContext()
IV.dps = 30

SMALLEST = 1000
"""The proof's inequalities use that n is at least this."""


class Row(NamedTuple):
    """The level at which an induction begins, and the functions that it compares with.

    From above H - eps_above E_1 - a E + c_above E_2, from below
    H + eps_below E_1 - C E - c_below E_2. At (2l, 0) with 2l >= n they give bounds with
    `least` and `most` in the place of a and b.
    """

    n: int
    eps_above: str
    a: str
    c_above: str
    eps_below: str
    C: str
    c_below: str
    least: str
    most: str


ROWS = tuple(
    Row(int(n), *numbers)
    for n, *numbers in map(
        str.split,
        """\
        1000    0.1355  0.1275  0.21  0.0677  0.1699  0.63  0.0926  0.1253
        4000    0.1252  0.1329  0.40  0.0447  0.1577  1.07  0.0966  0.1155
        16000   0.1202  0.1358  0.80  0.0355  0.1515  1.96  0.0987  0.1106
        64000   0.1175  0.1375  1.60  0.0312  0.1480  3.70  0.0999  0.1079
        256000  0.1158  0.1385  3.20  0.0287  0.1460  7.02  0.1007  0.1063
        """.splitlines()[:-1],
    )
)

ALL_DECKS = "0.089", "0.1394"
"""The constants for all l: the first is close for l = 1, the second for l = 2."""


def enclosed(digits: str) -> Any:
    """Return the interval of the numbers that begin with the given digits."""
    last = Fraction(1, 10 ** len(digits.partition(".")[2]))
    after = Fraction(digits) + last
    return IV.mpf([digits, IV.mpf(after.numerator) / after.denominator])


ALPHA = enclosed("0.839923675692372689603776")
NU = enclosed("0.462333373468971838298")
KAPPA = 1 - ALPHA**2
LAMBDA = NU / 2


def number(digits: str) -> Any:
    """Return a decimal number, enclosed."""
    return IV.mpf(digits)


def moment(power: Any, y: Any) -> Any:
    """Return the integral of v^power exp(y v - v^2 / 2) over v > 0, for 0 <= y <= 2.

    By the series of exp(y v). Its terms fall at least like a geometric series with the
    ratio 1/2 from the last one summed on.
    """
    total, term = IV.mpf(0), IV.mpf(1)
    halves = [
        IV.gamma((power + 1 + i) / 2) * IV.mpf(2) ** ((power - 1 + i) / 2)
        for i in (0, 1)
    ]
    for j in range(90):
        total += term * halves[j % 2]
        halves[j % 2] *= power + 1 + j
        term *= y / (j + 1)
    return total + IV.mpf([0, 1]) * 2 * term * halves[0]


def below(left: Any, right: Any, what: str) -> None:
    """Raise an error unless one interval is to the left of the other."""
    if not left.b < right.a:
        raise ArithmeticError(f"{what}: {left} is not below {right}")


class Constants(NamedTuple):
    """Numbers that are the same for all levels, as intervals; see the page."""

    gamma: Any
    f1: Any
    F1: Any
    c1: Any


def check_constants() -> Constants:
    """Check what the proof says for all n from `SMALLEST` on; return its constants."""
    for end, sign in ((ALPHA.a, -1), (ALPHA.b, 1)):
        # Shepp's equation: alpha = F_0(alpha), the first root.
        side = sign * (end - (1 - end**2) * moment(IV.mpf(0), end))
        below(IV.mpf(0), side, "Shepp's equation")
    for end, sign in ((NU.a, 1), (NU.b, -1)):
        # f(alpha) = 0, which is positive for smaller nu
        side = sign * (moment(1 - end, ALPHA) - ALPHA * moment(-end, ALPHA))
        below(IV.mpf(0), side, "the equation of lambda")

    gamma = IV.gamma(1 - NU)

    def q(k: int, y: Any) -> Any:
        return moment(k - NU, y) / gamma

    def j(k: int, y: Any) -> Any:
        return moment(IV.mpf(k), y)

    half, one, most = number("0.5"), IV.mpf(1), number("1.1")
    # E from above, for 0 <= eta <= 1 and then <= 1.1; f at 0.97.
    below(q(5, one) / 12 + q(9, one) / (144 * SMALLEST), number("3.5"), "q")
    below(
        q(5, most) / 12 + q(9, most) / (144 * SMALLEST), number("5"), "q in the strip"
    )
    place = number("0.97")
    below(q(1, place) - place * q(0, place), number("-0.13"), "f at 0.97")
    # E from below, for eta <= 0.86, and the slope of f.
    eta = number("0.86")
    second = q(8, eta) / 144 + NU * q(6, eta) / 36 + NU * q(10, eta) / (432 * SMALLEST)
    k = q(3, eta) / 3 + eta * (NU * q(2, eta) / 3 + q(4, eta) / 12 + second / SMALLEST)
    below(k, number("3"), "k")
    below(NU * q(0, eta), one, "the slope of f")
    # H from above and below.
    below(KAPPA * (j(6, one) / 45 + j(4, one) / 12), number("3.1"), "H from below")
    below(KAPPA * j(8, eta) / 144, number("4.1"), "H from above")
    below(KAPPA * j(3, eta), IV.mpf(4), "the third derivative of F_0")
    check_slopes("0.5", "1", 25, "-1.2")
    check_slopes("0.82", "0.86", 5, "-0.85")
    c1 = (KAPPA * j(0, half) - half) / (ALPHA - half) ** 2
    below(number("0.678"), c1, "c_1")
    # Far below the boundary: H - s exceeds 1.
    below(IV.mpf(1), number("0.078") * IV.sqrt(SMALLEST) - 1, "H - s for small y")
    below(number("0.078"), KAPPA * j(0, half) - half, "F_0 - y")
    f1 = NU * q(0, ALPHA)
    return Constants(gamma, f1, ALPHA**3 / 6 - ALPHA / 3, number("0.678"))


def check_slopes(first: str, last: str, pieces: int, least: str) -> None:
    """Check that F_1' = kappa (J_5 / 12 - 2 y J_0 - y^2 J_1 - 1) is above a bound.

    In each piece of an interval, by values at its ends, as y and all J_k increase. It
    is also checked that F_1' is negative.
    """
    width = (number(last) - number(first)) / pieces
    places = [number(first) + i * width for i in range(pieces + 1)]
    rows = []
    for y in places:
        j = [moment(IV.mpf(0), y)]
        j.append(1 + y * j[0])
        for k in range(1, 5):
            j.append(y * j[k] + k * j[k - 1])
        rows.append((y, j))
    for (low, less), (high, more) in itertools.pairwise(rows):
        steep = less[5] / 12 - 2 * high * more[0] - high**2 * more[1] - 1
        below(number(least), KAPPA * steep, "the slope of F_1, down")
        flat = more[5] / 12 - 2 * low * less[0] - low**2 * less[1] - 1
        below(KAPPA * flat, IV.mpf(0), "the slope of F_1, up")


def margins(row: Row, of: Constants) -> tuple[Any, Any]:
    """Return the two margins at the boundary, neither of which falls if n grows."""
    n = IV.mpf(row.n)
    root = IV.sqrt(n)
    scale = 2**NU * n**-LAMBDA * (1 + NU / n) ** LAMBDA * (1 - 1 / root) ** -NU
    bend = 4 / root * (1 - 1 / root) ** -2

    eps, a, c = map(number, (row.eps_above, row.a, row.c_above))
    slope = a * scale * of.f1
    above = of.F1 + 2 * eps * (ALPHA - 1 / root) - number("3.1") / n
    above -= slope * (NU + NU / (2 * root)) + a * scale * number("3.5") / root
    above -= c * bend * (KAPPA + 4 / root)
    above -= (slope + (1 + 2 * c * bend) / root) ** 2 / (4 * of.c1)

    eps, a, c = map(number, (row.eps_below, row.C, row.c_below))
    theta = number("0.5") + ALPHA / (2 * root)
    under = 2 * eps * (ALPHA - number("1.5") / root) - of.F1 - ALPHA * theta**2
    under -= (2 * theta**3 / 3 + number("0.85") * theta) / root + number("4.2") / n
    under -= a * scale * (theta - NU + 3 / root)
    under -= c * bend * (KAPPA + 5 / root)
    return above, under


def totals(n: int) -> Floats:
    """Return W on level n in the states with 0, 1, ... black cards, up to s = sqrt(n).

    Of each level those states are kept of which the last is one to stop in. Then all
    with more black cards are, too, as the page on the game shows: there W = s.
    """
    w = np.zeros(n + 2)
    w[1] = 1.0
    black = np.arange(n + 2.0)
    for m in range(2, n + 1):
        last = min(m, (m + int(m**0.5)) // 2 + 1)
        w[last] = 2 * last - (m - 1)
        # From (m - 1, s + 1), with as many black cards, and (m - 1, s - 1).
        b = black[: last + 1]
        drawn = (m - b) * w[: last + 1]
        drawn[1:] += b[1:] * w[:last]
        drawn /= m
        if drawn[last] > (1 - 1e-9) * (2 * last - m):
            raise ArithmeticError(f"playing on with {last} black cards of {m}")
        # Where s < 0 it is not a maximum.
        w[: last + 1] = drawn
        near = slice(max(m // 2 - 1, 0), last + 1)
        np.maximum(w[near], 2 * b[near] - m, out=w[near])
    return w[: last + 1]


def compared(n: int) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Return s, H, E, E_1 and E_2 on level n in the states with s up to sqrt(n)."""
    black = np.arange((n + int(n**0.5)) // 2 + 1.0)
    red = n - black
    # P(S_n < s) / P(S_n = s), by quotients of neighbours.
    less = np.zeros(len(black))
    for b in range(1, len(black)):
        less[b] = (less[b - 1] + 1) * b / (n - b + 1)
    nu = float(NU.mid)
    term = nu * black / (red + 1)
    rest = term.copy()
    first, j = 0, 1
    while first < len(black):
        going = slice(first, None)
        term[going] *= np.maximum(black[going] - j, 0) / (red[going] + j + 1)
        term[going] *= (j - nu) / (j + 1)
        rest[going] += term[going]
        j += 1
        # From half of the root of n on all terms fall, and first where s is small.
        while j > n**0.5 and first < len(black) and term[first] < 1e-30:
            first += 1
    s = black - red
    flat = (1 - s) / (red + 1)
    bent = ((s - 2) ** 2 - n - 2) / ((red + 1) * (red + 2))
    return s, float(KAPPA.mid) * (2 * less + 1), 1 - rest, flat, bent


def check_level(row: Row) -> tuple[float, float]:
    """Check that totals of a level are between the functions; return the least room.

    All that is computed is sums, products and quotients of numbers that are not
    negative, up to the differences at the end. With u = 2^-53, W has three roundings
    for each level, and H three for each state to the left. The sum in E has at most
    n/2 + sqrt(n) terms, with seven roundings for each term before it and one for each
    sum, and is less than 3. So the errors are below 10 n u (H + 3), half of what is
    demanded.
    """
    n = row.n
    s, h, e, flat, bent = compared(n)
    rest = h - totals(n)[: len(s)]
    room = 20 * n * 2.0**-53 * (h + 3)
    eps, a, c = map(float, (row.eps_above, row.a, row.c_above))
    above = rest - eps * flat - a * e + c * bent - room
    eps, a, c = map(float, (row.eps_below, row.C, row.c_below))
    under = a * e + c * bent - eps * flat - rest - room
    going = s < float(ALPHA.mid) * n**0.5 - 0.5 + 1e-9
    found = float(above.min()), float(under[going].min())
    if not min(found) > 0:
        raise ArithmeticError(f"on level {n} the room is {found}")
    return found


def check_elsewhere(row: Row) -> None:
    """Check the inequalities of the proof that have room to spare."""
    n, eps, a, c = IV.mpf(row.n), *map(number, (row.eps_above, row.a, row.c_above))
    below(number("0.1"), eps, "eps")
    below(eps + a + 4 * c / n, KAPPA, "s <= 0")
    below(a + 5 * c / n, IV.mpf(1), "0 < s <= sqrt(n) / 2")
    left = number("0.065") + 21 * c / n
    below(left, number("0.17") * a * n ** (number("0.5") - LAMBDA), "S < S' at sqrt(n)")


def check_bounds(row: Row) -> None:
    """Check the constants of the bounds of values, by bounds of E(2l, 0)."""
    half = row.n // 2
    front = 2**NU / IV.sqrt(IV.pi)
    first = front * IV.cos(IV.pi * LAMBDA) * IV.gamma(number("0.5") + LAMBDA)
    second = front * NU * IV.sin(IV.pi * LAMBDA) * IV.gamma(1 + LAMBDA)
    least = number(row.a) * first * (IV.mpf(half) / (half + 1)) ** LAMBDA
    most = number(row.C) * (first + second / IV.sqrt(half - number("0.5")))
    below(number(row.least), least, "the lower constant")
    below(most, number(row.most), "the upper constant")


def check_small_decks(largest: int) -> None:
    """Check the constants for all decks with exact values, up to the first row's."""
    least, most = map(number, ALL_DECKS)
    # C(n, r) W, one level after the other.
    u = [0]
    for n in range(1, 2 * largest + 1):
        drawn = [low + high for low, high in zip([0, *u], [*u, 0], strict=True)]
        orders = 1
        for b in range(n + 1):
            u_stop = (2 * b - n) * orders
            drawn[b] = max(drawn[b], u_stop)
            orders = orders * (n - b) // (b + 1)
        u = drawn
        if n % 2 == 0:
            middle, size = math.comb(n, n // 2), IV.mpf(n // 2)
            value = IV.mpf(u[n // 2]) / middle
            scaled = (KAPPA * IV.mpf(2**n) / middle - value) * size**LAMBDA
            below(least, scaled, f"all decks, {n // 2}")
            below(scaled, most, f"all decks, {n // 2}")


def check_row(row: Row, constants: Constants) -> tuple[float, float, float, float]:
    """Check a row; return its margins at the boundary, and the least room on its level.

    Raises
    ------
    ArithmeticError
        If an inequality is not certain.
    """
    check_elsewhere(row)
    check_bounds(row)
    above, under = margins(row, constants)
    below(IV.mpf(0), above, "from above, at the boundary")
    below(IV.mpf(0), under, "from below, at the boundary")
    return float(above.a), float(under.a), *check_level(row)


def main(levels: list[int]) -> None:
    """Check the rows of the levels given, and print them."""
    constants = check_constants()
    below(number(ALL_DECKS[0]), number(ROWS[0].least), "all decks")
    below(number(ROWS[0].most), number(ALL_DECKS[1]), "all decks")
    check_small_decks(ROWS[0].n // 2)
    print(f"all l          a = {ALL_DECKS[0]:6}  b = {ALL_DECKS[1]:6}")
    for row in ROWS:
        if row.n in levels:
            print(
                f"l >= {row.n // 2:<8,}  a = {row.least}  b = {row.most}", end="  room"
            )
            print("".join(f"{room:9.1e}" for room in check_row(row, constants)))


if __name__ == "__main__":
    main([int(level) for level in sys.argv[1:]] or [row.n for row in ROWS[:4]])
