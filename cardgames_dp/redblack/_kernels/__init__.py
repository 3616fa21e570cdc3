"""The private kernels of red/black; `cardgames_dp.redblack` is the public part."""
