from cardgames_dp.redblack.boundary import Thresholds, thresholds
from cardgames_dp.redblack.rules import Rules
from cardgames_dp.redblack.valuation import Enclosure, enclosure, value, values
