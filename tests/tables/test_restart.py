"""After a restart every table is exactly where it was; where the rules have changed, it says so."""

import statistics
import time
from dataclasses import replace

import pytest

from shopfloor.games.zahltag import cards
from shopfloor.tables import kept
from shopfloor.tables.service import Tables
from tests.tables.conftest import Open
from tests.tables.helpers import NO_BID, PASS, OtherGames, Party, everything, phase_of, rows
from tests.tables.test_seating import refused


def test_a_restart_in_every_phase(opened: Open) -> None:
    """After every single step a fresh reader finds the same table: seats, log, views, undo, hidden state."""
    live, phases = opened(), set()
    party = Party(live, 3, start=False, card_cap="penalty")

    def same() -> None:
        fresh = opened()
        table = party.table
        assert everything(fresh.table(party.id)) == everything(table)
        assert [fresh.seat_of(party.id, token) for token in party.tokens] == [0, 1, 2]
        assert fresh.manages(party.id, party.creator)
        phases.add((phase_of(table), len(table.deciders())))
        fresh.close()

    same()
    live.start(party.id, party.creator)
    same()
    while party.table.status != "over":
        seat = party.table.deciders()[0]
        legal = party.view(seat).legal
        # Hands grow past the cap, so that the phase for that comes too.
        party.act(seat, next((a for a in legal if 1 <= a <= 4), PASS if PASS in legal else legal[0]))
        same()
        if party.table.number == 20:
            live.leave(party.id, party.tokens[1])
            same()
            live.back(party.id, party.tokens[1])
    same()
    assert {phase for phase, _ in phases} == {"", "ADJUST_START", "ADJUST_WORKERS", "EXCESS", "BIDDING", "GAME_OVER"}
    assert {n for phase, n in phases if phase == "BIDDING"} >= {1, 2, 3}, "half of the bids sealed, too"


def test_the_game_goes_on_with_the_same_cards(opened: Open) -> None:
    """What comes to light after a restart is what would have come without it."""
    party = Party(opened(), 2)
    for _ in range(10):
        party.random_move()
    state = party.table._fold.state
    assert state is not None
    twin, seats = state.clone(), []
    restarted = opened()
    while twin.deciders():
        seat = twin.deciders()[-1]
        action = twin.legal(seat)[0]
        seats.append(seat)
        twin.play(seat, action)
        number = restarted.table(party.id).number
        restarted.act(party.id, party.tokens[seat], action, number, f"after-{number}")
    over = restarted.table(party.id)
    assert over._fold.state is not None
    assert over._fold.state.encode() == twin.encode()


def test_one_reader_follows_what_another_process_writes(opened: Open) -> None:
    writer, reader = opened(), opened()
    party = Party(writer, 3)
    for _ in range(30):
        assert everything(reader.table(party.id)) == everything(party.table)
        party.random_move()
        seat = next((s for s in range(3) if party.table.undo_refusal(s) is None), None)
        if seat is not None and party.random.random() < 0.3:
            party.undo(seat)


def test_more_tables_than_are_kept_in_memory(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "LINES_KEPT", 3 * 14 + 13)
    tables = opened()
    parties = [Party(tables, 2) for _ in range(8)]
    for _ in range(10):
        for party in parties:
            party.random_move()
    assert len(tables._cache) == 3
    assert tables._cache._lines == 3 * 14
    assert [party.table.number for party in parties] == [14] * 8


def test_how_long_a_cold_table_takes(opened: Open) -> None:
    party = Party(opened(), 4, card_cap="penalty")
    table = party.to_the_end()
    times = []
    cold = opened()
    for _ in range(10):
        cold._cache.clear()
        began = time.perf_counter()
        assert cold.table(party.id).number == table.number
        times.append(1000 * (time.perf_counter() - began))
    median, worst = statistics.median(times), max(times)
    print(f"\ncold table of {table.number} entries: median {median:.1f} ms, worst {worst:.1f} ms")


# -- rules that have gone -------------------------------------------------------------------------------------------


def newer(game):
    return replace(game, rules_version="2")


def other_cards(game):
    return replace(game, load_edition=lambda folder: cards.fixture(hash="0123456789abcdef"))


@pytest.mark.parametrize(("change", "word"), [(newer, "version 1"), (other_cards, "0123456789abcdef")])
@pytest.mark.parametrize("how_far", ["open", "playing", "over"])
def test_a_table_of_other_rules_can_be_read_only(opened: Open, change, word: str, how_far: str) -> None:
    party = Party(opened(), 2, start=how_far != "open")
    if how_far == "playing":
        party.act(0, PASS)
    elif how_far == "over":
        party.to_the_end()
    number = party.table.number
    tables = opened(OtherGames(change))
    table = tables.table(party.id)
    assert table.rules_gone is not None
    assert word in table.rules_gone.sentence
    assert (table.status, table.number, table.names()) == (how_far, number, ("Ann", "Ben"))
    assert table.view(0) is None
    assert table.deciders() == ()
    assert table.undo_refusal(0) is not None
    assert len(table.log(0)) == number
    assert [t.id for t in tables.listing()] == [party.id]
    token = party.tokens[0]
    for attempt in (
        lambda: tables.start(party.id, token),
        lambda: tables.act(party.id, token, PASS, number, "new"),
        lambda: tables.act_for_bot(party.id, 0, PASS, number),
        lambda: tables.undo(party.id, token, number, "new"),
        lambda: tables.leave(party.id, token),
        lambda: tables.back(party.id, token),
        lambda: tables.stand_up(party.id, token),
        lambda: tables.sit(party.id, "Eva"),
        lambda: tables.record(party.id),
        lambda: tables.rematch(party.id, token),
        lambda: tables.remove_bot(party.id, token, 0),
        lambda: tables.add_bot(party.id, token, "random"),
    ):
        with refused("RULES_GONE"):
            attempt()
    assert tables.table(party.id).number == number
    if how_far == "playing":
        assert party.act(1, NO_BID - 21).number == number + 1, "with the old rules it goes on"


def test_a_game_that_is_not_here_any_more(opened: Open, url: str) -> None:
    party = Party(opened(), 2)
    rows(url, "UPDATE tables SET game = 'ludo'")
    tables = opened()
    with refused("RULES_GONE") as caught:
        tables.table(party.id)
    assert "ludo" in caught.value.sentence
    assert tables.listing() == []


def test_a_log_that_does_not_fit_the_rules_is_shown_as_far_as_it_goes(opened: Open, url: str) -> None:
    party = Party(opened(), 2)
    number = party.act(0, PASS).number
    party.act(1, PASS)
    rows(url, "UPDATE log SET action = 21 WHERE number = :n", {"n": number})
    tables: Tables = opened()
    table = tables.table(party.id)
    assert table.rules_gone is not None
    assert f"entry {number}" in table.rules_gone.sentence
    assert table.number == number + 1
    assert [line.number for line in table.log(None)] == list(range(1, number + 2))
    with refused("RULES_GONE"):
        tables.act(party.id, party.tokens[0], PASS, table.number, "k")
