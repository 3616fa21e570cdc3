"""The engines of Pairs: they trust their arguments, and nothing in them is public.

From the bottom up: `setting` is the part of the rules that they use, and `turns` has
the game for the exact backend. `positions` finds all positions of a round, `dealing`
handles the deal; `induction` solves one round backwards, layer by layer, and `sweep`
all rounds, with the best decisions stored in `decisions`. `tabled` applies these in
other games, and `flow` goes forward. `playing` simulates games, and `lookup` takes
decisions in them from a table.
"""
