"""The engines of Pairs: they trust their arguments, and nothing in them is public.

From the ground up: `setting` is what they see of the rules, and `turns` writes the game
for the exact backend. `positions` finds all that can lie on the table, `dealing` the
deal; `induction` takes one round back layer by layer, and `sweep` all rounds, keeping
what is best in `decisions`. `tabled` lets other games use these, `flow` goes forward.
`playing` deals games at random, and `lookup` decides in them from a table.
"""
