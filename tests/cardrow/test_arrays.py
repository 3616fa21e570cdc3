"""The game of a row in arrays, against the game that is written for states."""

from typing import Any

import numpy as np
from hypothesis import given, strategies as st

from cardgames_dp import cardrow, diagonal, exact, play
from cardgames_dp.cardrow import Rules, Turn
from cardgames_dp.game import TERMINAL, ArrayGame, explore

from .opponents import TIES

small = st.one_of(st.integers(-3, 9), st.fractions(0, 3, max_denominator=3))
large = st.integers(-(10**40), 10**40)
rules = st.builds(
    Rules,
    take=st.integers(1, 3),
    players=st.integers(2, 4),
    misere=st.booleans(),
    tie=st.sampled_from(TIES),
)


@given(st.data(), rules, st.sampled_from([small, large]))
def test_it_is_the_plain_game(data: Any, terms: Rules, numbers: Any) -> None:
    cards = data.draw(st.lists(numbers, min_size=1, max_size=5))
    if terms.players == 2 and data.draw(st.booleans()):
        both = st.lists(numbers, min_size=len(cards), max_size=len(cards))
        terms = Rules(terms.take, 2, terms.misere, data.draw(both), terms.tie)
    arrays, plain = terms.arrays(cards), exact.solve(terms.game(cards))
    found = exact.solve(arrays)
    assert found.value == plain.value
    game = terms.game(cards)
    state, row = game.initial_state(), arrays.initial_states()
    while game.current_player(state) != TERMINAL:
        assert arrays.current_players(row) == game.current_player(state)
        _, codes = arrays.legal_actions(row)
        turns = [Turn.of_code(code) for code in codes.tolist()]
        assert turns == list(game.legal_actions(state))
        assert tuple(found.values(row)[0]) == tuple(plain.values[state])
        assert found.policy(row).tolist() == [plain.policy[state].code]
        turn = data.draw(st.sampled_from(turns))
        state = game.next_state(state, turn)
        row = arrays.next_states(row, np.array([turn.code]))
    assert arrays.current_players(row) == TERMINAL
    assert tuple(arrays.returns(row)[0]) == tuple(game.returns(state))


def test_large_numbers_take_more_words() -> None:
    game = Rules().arrays([3 * 10**25, 10**25, -7, 10**25 + 1, 2])
    assert isinstance(game, ArrayGame)
    found = explore(game)
    states = found.states_at(np.arange(found.num_states))
    left, right, player, *words = states.T
    assert len(words) == 2
    assert (game.rows(left, right, player, game.tallies(states)) == states).all()


def test_play_knows_what_a_response_wins_by() -> None:
    row = cardrow.deal(1, 20, rng=1)[0]
    response = cardrow.best_response(row, "random", goal="lead", backend="exact")
    plan: Any = response.plan

    def either(states: Any) -> Any:
        index, turns = plan.explored.game.legal_actions(states)
        return index, turns, np.ones(len(index), np.int64)

    game = explore(Rules().arrays(row))
    assert diagonal.solve(game).value[0] == cardrow.value(row)
    found = play.distribution(game, [plan.policy, either], backend="exact")
    assert found.means[0] == response.lead
    assert 1 - found.returns[0].cdf(0) == response.win
