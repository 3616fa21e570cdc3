"""Tables of plain text are aligned."""

from cardgames_dp import _text


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    rows = [["", "of", "games"], ["first", "5", ""], ["x", "10", "-1"]]
    assert _text.aligned(rows) == [
        "       of  games",
        "first   5",
        "    x  10     -1",
    ]
    assert _text.aligned(rows, left=(0, 2), gap=1) == [
        "      of games",
        "first  5",
        "x     10 -1",
    ]
    assert _text.aligned([]) == []


def test_stars_stand_behind_their_numbers() -> None:
    rows = [("2", [("1.5", True), ("20", False)]), ("10", [("", False), ("3", True)])]
    assert _text.starred("red", ["0", "11"], rows) == [
        "red   0  11",
        "  2 1.5* 20",
        " 10       3*",
    ]
