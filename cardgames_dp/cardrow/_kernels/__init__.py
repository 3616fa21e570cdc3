"""The engines of cards in a row: pure functions and small records, nothing public.

The rules say which of them applies:

- `collapse`: two players who take one card a turn (`row.is_linear`), several rows too;
- `diagonals.leads`: two players; `diagonals.sweep`: all rules, and the best turns;
- `players.best_replies`: the classic rules (`rules.is_classic`), by the cards alone;
- `sums.RowSums`: all rules, with the sums taken so far, in the general backends.

The weights of the second player, and the smaller sum that wins, need no engine of their
own: see `row`.
"""
