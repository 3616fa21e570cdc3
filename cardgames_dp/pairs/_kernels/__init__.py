"""The engines of Pairs: they trust their arguments.

From the bottom up: `positions` finds all positions of a round, and of the deal;
`induction` solves one round, layer by layer; `sweeps` solves all rounds, and counts
visits; `simulation` plays many games at random.

The general backends solve Pairs state by state, and are what these engines are tested
against. With five ranks and six points they take forty times as long (0.7 s), with the
time growing with the states: the published game has 250 million, and takes seconds
here.
"""
