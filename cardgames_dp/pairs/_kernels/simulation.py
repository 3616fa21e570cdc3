"""Many games of Pairs side by side, a turn of each at a time.

The games are the last axis of every array, so each step handles all games at once. The
player to move comes first on the axis of players, which is rotated by one seat after
each turn; the next player also leads after a fold or a pair. Games that end leave the
arrays.

Cards are drawn by integers, without a rounding bias, from all unseen cards. These
include burned cards, as all unseen cards are equally likely to be burned: the number of
burned cards only decides when the deck is exhausted. Discards are all cards that are
nowhere else.

Each game has its own scores. Players are asked about all games in which they are to
move, and return an array of decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.pairs.rules import Hits, Integers, Returns, Rules

Player: TypeAlias = Callable[[Integers, Integers, Integers, Integers], Hits]
"""Returns where to hit, or with what probability, shape (games,).

Given the hands, of shape (games, players, ranks), the unseen cards, (games, ranks), and
the scores, (games, players), all from the player to move on; and that player's seat.
"""


def tally_shape(rules: Rules) -> int:
    """Return the number of players times that of final scores, and of durations."""
    n, most = rules.players, rules.target - 1
    # Each round scores the lowest rank or more, and the last one makes someone lose.
    return n * (most + rules.ranks[-1] + 1) + n * (most // rules.ranks[0]) + 2


class Games:
    """Games that are going on, and what has happened in them.

    A player may sit in several seats, and is then asked once for all.
    """

    def __init__(
        self,
        rules: Rules,
        players: Sequence[Player],
        games: int,
        rng: np.random.Generator,
    ) -> None:
        n, ranks, cards = rules.players, len(rules.ranks), sum(rules.counts)
        dtype: Any = np.min_scalar_type(-cards - 1)
        self.rules, self.rng = rules, rng
        self.official = rules.reshuffle == "official"
        self.players = list(dict.fromkeys(players))
        self.player_of_seat = np.array([self.players.index(p) for p in players])
        self.counts = np.array(rules.counts, dtype)[:, None]
        self.points = np.array(rules.ranks)
        self.before_choice = 1 if rules.first == "lowest" else max(n * rules.deal, 1)

        self.hands = np.zeros((n, ranks, games), dtype)
        self.unseen = np.repeat(self.counts, games, axis=1)
        self.scored = np.zeros((ranks, games), dtype)  # if they stay out
        self.scores = np.zeros((n, games), np.int64)
        self.seat = np.zeros(games, np.int64)  # whose turn it is
        self.left = np.full(games, cards)  # how many cards are unseen
        self.in_hands = np.zeros(games, np.int64)
        # How often all players of a game have hit and folded, and the other moves.
        self.taken = np.zeros((3, games), np.int64)
        self.rounds = np.zeros(games, np.int64)
        self.over: list[tuple[Integers, ...]] = []
        self.choices, self.hits, self.folds, self.pairs = np.zeros((4, n), np.int64)

    def play(
        self, returns: Returns, count: str | None
    ) -> tuple[list[tuple[Any, Any]], tuple[Integers, ...]]:
        """Play the games to their ends.

        For each player the different returns, and how many games had each; last the
        same for the numbers of moves: of "hit", "fold" or "round", or of all if `count`
        is None. And the number of rounds and, by seat, those of choices, hits, folds
        and pairs.
        """
        while self.seat.size:
            if self.rules.first == "lowest":
                self.deal()
            self.turn()
        scores, taken, rounds = (
            np.concatenate(x, -1) for x in zip(*self.over, strict=True)
        )
        hits, folds, _ = taken
        moves = {"hit": hits, "fold": folds, "round": rounds, None: taken.sum(axis=0)}
        paid = returns(scores.T).T
        results = [np.unique(x, return_counts=True) for x in (*paid, moves[count])]
        decisions = self.choices, self.hits, self.folds, self.pairs
        return results, (rounds.sum(), *decisions)

    def turn(self) -> None:
        """Play one turn of each game."""
        can_hit = self.left > self.rules.burn
        can_fold = self.in_hands >= self.before_choice
        hits = can_hit.copy()
        self._decide(np.flatnonzero(can_hit & can_fold), hits)
        dealt = self.rules.players * self.rules.deal
        if self.rules.first == "rotation":
            self.taken[0] += hits & (self.in_hands >= dealt)
        else:
            self.taken[0] += hits
        self.taken[1] += can_fold & ~hits
        self.taken[2] += hits  # the card
        self._hit(np.flatnonzero(hits))
        folds = np.flatnonzero(can_fold & ~hits)
        on_table = self.hands[:, :, folds].any(axis=0)
        self._count(self.folds, self.seat[folds])
        self._end_round(folds, on_table.argmax(axis=0))
        self._next_seat()

    def _decide(self, choice: Integers, hits: NDArray[np.bool_]) -> None:
        """Ask the players of these games, and store their decisions."""
        seats = self.seat[choice]
        for number, player in enumerate(self.players):
            here = choice
            if len(self.players) > 1:
                here = choice[self.player_of_seat[seats] == number]
            if len(here):
                answer = player(
                    self.hands[..., here].transpose(2, 0, 1),
                    self.unseen[:, here].T,
                    self.scores[:, here].T,
                    self.seat[here],
                )
                if answer.dtype != np.bool_:  # the player mixes
                    answer = self.rng.random(len(here)) < answer
                hits[here] = answer
        self._count(self.choices, seats)
        self._count(self.hits, seats[hits[choice]])

    def _count(self, counts: Integers, seats: Integers) -> None:
        counts += np.bincount(seats, minlength=self.rules.players)

    def _hit(self, games: Integers) -> None:
        cards = self._draw(games)
        held = self.hands[0, cards, games]
        scores = held == self.rules.capacity
        self._to_hand(0, cards[~scores], games[~scores])
        pairs, ranks = games[scores], cards[scores]
        self._count(self.pairs, self.seat[pairs])
        if self.rules.reshuffle == "essay":  # before the card goes to the others
            stays_out = self._refill(pairs)
            self.unseen[ranks[stays_out], pairs[stays_out]] -= 1
            self.left[pairs[stays_out]] -= 1
        self._end_round(pairs, ranks)

    def _draw(self, games: Integers) -> Integers:
        """Draw an unseen card in each game; return the indices of the ranks."""
        numbers = self.rng.integers(self.left[games]).astype(self.unseen.dtype)
        up_to = np.add.accumulate(
            self.unseen[:, games], axis=0, dtype=self.unseen.dtype
        )
        cards: Integers = (up_to <= numbers).sum(axis=0)
        self.unseen[cards, games] -= 1
        self.left[games] -= 1
        return cards

    def _to_hand(self, player: int, cards: Integers, games: Integers) -> None:
        """Put cards just drawn into the hand of a player, counted from the mover."""
        self.hands[player, cards, games] += 1
        self.in_hands[games] += 1
        if self.rules.reshuffle != "round":
            self._refill(games)

    def _refill(self, games: Integers) -> NDArray[np.bool_]:
        """Return discards to the deck where it is exhausted; return where that is."""
        exhausted: NDArray[np.bool_] = self.left[games] <= self.rules.burn
        dry = games[exhausted]
        if len(dry):
            elsewhere = self.hands[:, :, dry].sum(axis=0, dtype=self.unseen.dtype)
            self.unseen[:, dry] = self.counts - elsewhere - self.scored[:, dry]
            self.left[dry] = self.unseen[:, dry].sum(axis=0, dtype=np.int64)
        return exhausted

    def _end_round(self, games: Integers, cards: Integers) -> None:
        """Give points for cards to the players to move, and clear the hands."""
        self.scores[0, games] += self.points[cards]
        self.rounds[games] += 1
        self.hands[:, :, games] = 0
        self.in_hands[games] = 0
        if self.official:
            self.scored[cards, games] += 1
        if self.rules.reshuffle == "round":
            self.unseen[:, games] = self.counts
            self.left[games] = self.counts.sum(dtype=np.int64)
        elif self.rules.reshuffle != "essay":
            self._refill(games)

    def _next_seat(self) -> None:
        """Rotate all arrays by one seat, and remove games that are over."""
        n = self.rules.players
        self.seat = (self.seat + 1) % n
        self.scores = np.roll(self.scores, -1, axis=0)
        self.hands = np.roll(self.hands, -1, axis=0)
        over = self.scores[-1] >= self.rules.target
        if self.rules.reshuffle == "essay":
            over |= (self.left == 0) & (self.in_hands == 0)
        if not over.any():
            return
        seats = (np.arange(n)[:, None] - self.seat[over]) % n
        by_seat = np.take_along_axis(self.scores[:, over], seats, axis=0)
        self.over.append((by_seat, self.taken[:, over], self.rounds[over]))
        on = ~over
        for name in ("seat", "left", "in_hands", "rounds"):
            setattr(self, name, getattr(self, name)[on])
        for name in ("hands", "unseen", "scored", "scores", "taken"):
            setattr(self, name, getattr(self, name)[..., on])

    def deal(self) -> None:
        """Start rounds in which the lowest card leads."""
        starting = np.flatnonzero(self.in_hands == 0)
        if self.official:
            self._deal_on(starting)
        else:
            self.taken[2, starting] += 1
            self._deal_again(starting)

    def _pass_turn(self, games: Integers, by: Integers) -> None:
        """Pass the turn by a number of seats."""
        n = self.rules.players
        order = (np.arange(n)[:, None] + by) % n
        self.seat[games] = (self.seat[games] + by) % n
        self.scores[:, games] = np.take_along_axis(self.scores[:, games], order, 0)
        self.hands[:, :, games] = np.take_along_axis(
            self.hands[:, :, games], order[:, None], 0
        )

    def _deal_again(self, games: Integers) -> None:
        """Deal until one player has the lowest card; cards of other deals go back."""
        if self.rules.reshuffle == "exhausted":
            self._shuffle_if_endless(games)
        while len(games):
            unseen, left = self.unseen[:, games], self.left[games]
            dealt = np.empty((self.rules.players, len(games)), np.int64)
            for player in range(self.rules.players):
                dealt[player] = self._draw(games)
                self._to_hand(player, dealt[player], games)
            single = (dealt == dealt.min(axis=0)).sum(axis=0) == 1
            self._pass_turn(games[single], dealt.argmin(axis=0)[single])
            games = games[~single]
            self.hands[:, :, games] = 0
            self.in_hands[games] = 0
            self.unseen[:, games], self.left[games] = unseen[:, ~single], left[~single]

    def _shuffle_if_endless(self, games: Integers) -> None:
        """Shuffle where no deal has one lowest card; nobody has a card.

        Of n cards, m come before the deck is exhausted and the others return to it.
        """
        n = self.rules.players
        first = np.minimum(self.left[games] - self.rules.burn, n)
        unseen = self.unseen[:, games].astype(np.int64)
        above = unseen[::-1].cumsum(axis=0)[::-1] - unseen
        enough = self.counts[::-1].cumsum(axis=0)[::-1] - self.counts >= n - 1
        early = (unseen > 0) & (above >= first - 1)
        late = (above >= first) & (first < n)
        endless = games[~(enough & (early | late)).any(axis=0)]
        self.unseen[:, endless] = self.counts
        self.left[endless] = self.counts.sum(dtype=np.int64)

    def _deal_on(self, games: Integers) -> None:
        """Deal by the official rules: tied players get another card."""
        n, none = self.rules.players, len(self.points)
        tied = np.ones((n, len(games)), np.bool_)
        while len(games):
            newest = self._deal_to(games, tied)
            lowest = np.where(tied, newest, none + 1).min(axis=0)
            tied &= newest == lowest
            # When nobody has got a card, the first of those who are tied leads.
            settled = (tied.sum(axis=0) == 1) | (lowest == none)
            self._pass_turn(games[settled], tied.argmax(axis=0)[settled])
            games, tied = games[~settled], tied[:, ~settled]

    def _deal_to(self, games: Integers, to: NDArray[np.bool_]) -> Integers:
        """Give cards to players, shape (players, games); return which, by rank.

        The index is beyond all ranks for those who cannot get any.
        """
        none = len(self.points)
        newest = np.full(to.shape, none)
        for player in range(self.rules.players):
            here = np.flatnonzero(to[player])
            self.taken[2, games[here]] += 1
            while len(here):
                where = games[here]
                here = here[self._can_be_dealt(player, where)]
                where = games[here]
                cards = self._draw(where)
                fits = self.hands[player, cards, where] < self.rules.capacity
                self._to_hand(player, cards[fits], where[fits])
                newest[player, here[fits]] = cards[fits]
                here = here[~fits]
                self._refill(games[here])
        return newest

    def _can_be_dealt(self, player: int, games: Integers) -> NDArray[np.bool_]:
        """Return whether a card that makes no pair can be dealt, sooner or later."""
        held = self.hands[:, :, games]
        somewhere = self.counts - held.sum(axis=0) - self.scored[:, games]
        fits = held[player] < self.rules.capacity
        there: NDArray[np.bool_] = ((somewhere > 0) & fits).any(axis=0)
        return there & (self.left[games] > self.rules.burn)
