"""The engines of red/black: not public; `cardgames_dp.redblack` has the doors."""
