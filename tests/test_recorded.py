"""Results of the kernels as they were recorded: a change may not alter a digit.

Nobody derived these numbers in another way; other tests hold smaller ones against brute
force, Fractions and published values. On another machine the last bits may differ.
"""

import pytest

from cardgames_dp import diagonal, fitting, pairs, play, redblack

NAMES = {
    "diagonal": diagonal,
    "fitting": fitting,
    "pairs": pairs,
    "play": play,
    "redblack": redblack,
    "Rules": redblack.Rules,
    "LITTLE": pairs.Rules(deck=4, target=9),
}


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("redblack.value(12_000, 8_000)", 4001.3555283554597),
        ('redblack.value(1000, 1000, method="staircase")', 16.48949586640437),
        ("redblack.value(20_150, 19_850)", 330.36290901883615),
        ("redblack.value(30_000, 30_000)", 90.41048415062363),
        ("redblack.value(1_234_567, 1_234_567)", 580.0377007280936),
        ("redblack.value(10**7, 10**7)", 1650.8256297448434),
        ("redblack.value(133_787_000, 133_787_000)", 6038.216882591506),
        ('redblack.value(26, 26, rules=Rules(fee="1/20"))', 1.006403443511543),
        ("redblack.value(26, 26, policy=redblack.StopAt(2))", 1.7195767195767193),
        ('redblack.enclosure(4000, 4000, method="staircase").lower', 33.00248896322848),
        ("redblack.enclosure(10**6, 10**6).lower", 522.0335326129286),
        ("redblack.foresight_value(150, 150, cards=6)", 8.241033417098343),
        ("redblack.bridge_value(0.5, -0.5)", 0.16070677820509366),
        ("redblack.lowest_cash(400, 390).mean", -12.905682167297515),
        ('redblack.kinds.value({2: 30, "1/3": 30, -1: 60})', 13.049591074978878),
        ("diagonal.solve(redblack.urns.game([1] * 801)).value", 195.2500611314379),
        ("diagonal.solve(redblack.game(120, 130)).value", 0.4922733076451566),
        (
            'play.distribution(redblack.game(5000, 5000), "optimal").returns[0].std',
            26.75836648207569,
        ),
        ("pairs.solve(pairs.Rules(deck=6)).value", 0.48011227839870474),
        ("pairs.solve(pairs.Rules(3, 4, 8)).payoffs[1]", 0.6695868203635698),
        (
            'pairs.solve(pairs.Rules(deck=4, target=9, reshuffle="exhausted")).value',
            0.4608017882552312,
        ),
        ('pairs.solve(LITTLE, goal="points").value', -6.985374736363273),
        (
            'pairs.rates(pairs.Rules(deck=6), ["optimal", "fifty_percent"]).mean[0]',
            0.6072500887303149,
        ),
        (
            'pairs.rates(pairs.Rules(deck=5), ["expected_points", None]).mean[0]',
            0.4539634124948369,
        ),
        ('play.regret(pairs.game(LITTLE), "fifty_percent").loss', 0.11978326091503376),
        ('fitting.LimitDistribution("payoff").cdf(0.7)', 0.6104133953850766),
        ("fitting.asymptotic_value(10**10).value", 52203.76709882597),
    ],
)
def test_recorded(call: str, value: float) -> None:
    assert eval(call, NAMES) == pytest.approx(value, rel=1e-13)
