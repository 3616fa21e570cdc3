"""The engines of `cardgames_dp.interop`: one module a direction."""
