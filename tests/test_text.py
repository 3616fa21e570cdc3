"""Tables of plain text are aligned."""

from fractions import Fraction

from cardgames_dp._results import tables


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    rows = [["", "of", "games"], ["first", "5", ""], ["x", "10", "-1"]]
    assert tables.aligned(rows) == [
        "       of  games",
        "first   5",
        "    x  10     -1",
    ]
    assert tables.aligned(rows, left=(0, 2), gap=1) == [
        "      of games",
        "first  5",
        "x     10 -1",
    ]
    assert tables.aligned([]) == []


def test_stars_stand_behind_their_numbers() -> None:
    rows = [("2", [("1.5", True), ("20", False)]), ("10", [("", False), ("3", True)])]
    assert tables.starred("red", ["0", "11"], rows) == [
        "red   0  11",
        "  2 1.5* 20",
        " 10       3*",
    ]


def test_shares_are_fractions_too_where_these_are_short() -> None:
    third = Fraction(1, 3)
    exactly = [third, 1 - third]
    shares = list(map(float, exactly))
    assert tables.histogram_text(("lead", "chance"), [0, 10], shares, exactly) == [
        "lead    chance  exact",
        "   0  0.333333    1/3",
        "  10  0.666667    2/3",
    ]
    floats = ["lead    chance", "   0  0.333333", "  10  0.666667"]
    assert tables.histogram_text(("lead", "chance"), [0, 10], shares) == floats
    # One that is long would make all of them hard to read.
    long = Fraction(10**9, 3 * 10**9 + 1)
    exactly = [long, 1 - long]
    assert tables.histogram_text(("lead", "chance"), [0, 10], shares, exactly) == floats
    # Where results share a row there is no fraction of the row.
    many = [Fraction(1, 200)] * 200
    lines = tables.histogram_text(
        ("lead", "chance"), range(200), list(map(float, many)), many
    )
    assert lines[0].split() == ["lead", "chance"]
    assert lines[-1].startswith("(200 results, ")
