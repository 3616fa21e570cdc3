"""The engines of Pairs: they trust their arguments, and nothing in them is public.

From the bottom up: `protocol` is the part of the rules that they use; `states` has
the game for the general backends. `positions` finds all
positions of a round, `dealing` handles the deal; `induction` solves one round, layer by
layer, and `backward` all rounds, with the best decisions stored in `decisions`;
`enclosing` does the same in intervals. `forward` counts visits. `simulation` plays many
games at random. Solved play takes part in other games: `as_policy` in those that are
solved, `as_player` in those that are simulated.
"""
