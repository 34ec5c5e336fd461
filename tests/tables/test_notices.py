"""Who is told of their turn, when, and how often: whatever happens in between, and however many servers tell."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from shopfloor.tables import service
from shopfloor.tables.checks import token_hash
from shopfloor.tables.model import Table
from shopfloor.tables.schema import RECIPIENTS
from shopfloor.tables.service import Tables
from shopfloor.tables.turns import known_now, to_tell, warned_at
from shopfloor.tables.wishes import MOST_AT_A_TABLE, PAUSES, AskedAlready, Recipient, Told, TooMany
from shopfloor.web.notices import notifier as notifier_module
from shopfloor.web.notices.guard import Unreachable
from shopfloor.web.notices.notice import Notice
from shopfloor.web.notices.notifier import Notifier
from tests.tables.conftest import Open
from tests.tables.helpers import Party, rows

ADDRESS = "https://hook.example/secret-place"


class Mailman:
    """A channel that keeps what it is given, or fails."""

    def __init__(self, fails: Callable[[], BaseException | None] = lambda: None) -> None:
        self.sent: list[tuple[Recipient, Notice]] = []
        self.fails = fails
        self.lock = threading.Lock()

    def send(self, recipient: Recipient, notice: Notice) -> None:
        error = self.fails()
        if error is not None:
            raise error
        with self.lock:
            self.sent.append((recipient, notice))

    def told(self) -> list[tuple[str, int]]:
        """What was told of tables, in order: kind and number."""
        return [(fact["kind"], fact["number"]) for _, notice in self.sent for fact in notice.facts]

    def kinds(self) -> list[str]:
        return [notice.kind for _, notice in self.sent]


@contextmanager
def telling(tables: Tables, *channels: Mailman, delay: float = 0.0) -> Iterator[Notifier]:
    """A notifier under way."""
    found = Notifier(tables, dict.fromkeys(("webhook", "push", "mail"), channels[0]), delay, look_again=0.05)
    found.start()
    try:
        yield found
    finally:
        found.stop()


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.01)


def settled(notifier: Notifier, tables: Tables) -> None:
    """Wait until it has heard everything, has told all that is due, and has looked again after that."""
    for _ in range(2):
        heard = threading.Event()
        notifier._jobs.put(heard.set)
        assert heard.wait(60)
        wait_for(lambda: _idle(tables))


def _idle(tables: Tables) -> bool:
    soon = tables.wishes().next_due()
    claimed = sa.select(RECIPIENTS.c.id).where(RECIPIENTS.c.claimed_until.is_not(None))
    return (soon is None or soon > 1) and not tables._store.read(claimed)


def wish(party: Party, seat: int, every: int = 0, address: str = ADDRESS, kind: str = "webhook") -> Recipient:
    told = known_now(party.table)
    added = party.tables.wishes().add(party.id, token_hash(party.tokens[seat]), kind, address, told=told, every=every)
    if kind != "mail":  # without its trial, which is not what these tests are about
        party.tables.wishes().done(added.id, {}, sent=False)
    return added


def whose(party: Party) -> int:
    return party.table.deciders()[0]


def until_turn_of(party: Party, seat: int) -> Table:
    """Play on until somebody else's decision has made it this seat's turn."""

    def reached(table: Table) -> bool:
        number = table.decision_number(seat)
        line = table.log(seat, number - 1)[0]
        return seat in table.deciders() and line.number == number and line.seat not in (None, seat)

    return party.until(reached)


def test_one_is_told_of_every_decision_that_others_have_led_to_and_of_none_twice(tables: Tables) -> None:
    party = Party(tables, 3)
    wish(party, 0)
    mailman = Mailman()
    expected: list[tuple[str, int]] = []
    with telling(tables, mailman) as notifier:
        known = party.table.decision_number(0) if 0 in party.table.deciders() else 0
        for _ in range(30):
            before = party.table
            mover = party.random.choice(before.deciders())
            view: Any = before.view(mover)
            party.act(mover, party.random.choice(view.legal))
            settled(notifier, tables)
            now = party.table
            if now.status == "over":
                break
            number = now.decision_number(0)
            if 0 in now.deciders() and number > known:
                known = number
                if mover != 0:
                    expected.append(("turn", number))
            assert mailman.told() == expected
    assert expected, "in thirty moves of three, one was asked by others"
    assert max(Counter(mailman.told()).values()) == 1
    assert all(ADDRESS not in repr(notice) for _, notice in mailman.sent)


def test_the_decision_that_one_has_before_one_s_eyes_is_not_told(tables: Tables) -> None:
    party = Party(tables, 2)
    seat = whose(party)
    wish(party, seat)
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        settled(notifier, tables)
        assert mailman.sent == []


def test_a_decision_that_is_made_in_time_is_not_told(tables: Tables) -> None:
    party = Party(tables, 2)
    wish(party, 1)
    until_turn_of(party, 1)
    mailman = Mailman()
    early = Notifier(tables, {"webhook": mailman}, 0.0)
    early._look(party.id)
    assert tables.wishes().next_due() is not None, "there was something to tell"
    party.until(lambda table: 1 not in table.deciders() or table.status == "over")
    if party.table.status == "over":
        return  # then its end is told, rightly
    with telling(tables, mailman) as notifier:
        settled(notifier, tables)
        if 1 not in party.table.deciders():
            assert mailman.sent == []


def test_a_restart_forgets_nothing(opened: Open) -> None:
    first = opened()
    party = Party(first, 2)
    wish(party, 1)
    number = until_turn_of(party, 1).decision_number(1)
    first.close()
    mailman = Mailman()
    second = opened()
    for _ in range(2):  # and the next start tells nothing twice
        with telling(second, mailman) as notifier:
            settled(notifier, second)
    assert mailman.told() == [("turn", number)]


def test_several_servers_tell_once(opened: Open) -> None:
    first, second, third = opened(), opened(), opened()
    party = Party(first, 2)
    wish(party, 0)
    wish(party, 1, address="https://hook.example/other")
    mailman = Mailman()
    with telling(first, mailman) as one, telling(second, mailman) as two, telling(third, mailman) as three:
        for _ in range(15):
            if party.table.status == "over":
                break
            party.random_move()
            for notifier, own in ((one, first), (two, second), (three, third)):
                settled(notifier, own)
    told = Counter((recipient.id, number) for recipient, notice in mailman.sent for number in _numbers(notice))
    assert told
    assert max(told.values()) == 1


def _numbers(notice: Notice) -> list[tuple[str, int]]:
    return [(fact["kind"], fact["number"]) for fact in notice.facts]


def test_who_died_while_telling_is_stood_in_for(opened: Open, url: str) -> None:
    first = opened()
    party = Party(first, 2)
    added = wish(party, 1)
    number = until_turn_of(party, 1).decision_number(1)
    Notifier(first, {}, 0.0)._look(party.id)
    assert [found.id for found in first.wishes().claim(5)] == [added.id]
    assert first.wishes().claim(5) == [], "it is somebody's"
    mailman = Mailman()
    second = opened()
    with telling(second, mailman):
        soon = second.wishes().next_due()
        assert soon is not None
        assert soon > 60, "the claim holds longer than sending may take"
        rows(url, "UPDATE notice_recipients SET claimed_until = 1")
        wait_for(lambda: mailman.told() == [("turn", number)])


def test_what_fails_is_tried_again_with_growing_pauses_and_given_up(tables: Tables, url: str) -> None:
    party = Party(tables, 2)
    added = wish(party, 1)
    until_turn_of(party, 1)
    mailman = Mailman(lambda: Unreachable("no_connection"))
    with capture_logs() as logs, telling(tables, mailman) as notifier:
        for pause in PAUSES:
            settled(notifier, tables)
            due = tables.wishes().next_due()
            assert due is not None
            assert pause - 60 < due <= pause
            rows(url, "UPDATE notice_recipients SET due_at = 1")
        settled(notifier, tables)
        given_up = tables.wishes().found(added.id)
        assert given_up is not None
        assert given_up.trouble == "no_connection"
        assert tables.wishes().next_due() is None
        mailman.fails = lambda: None
        tables.wishes().try_out(added.id)
        settled(notifier, tables)
        assert [kind for kind, _ in mailman.told()] == ["turn"], "tried again, it tells what is still to be decided"
    failures = [entry for entry in logs if entry["event"] == "notice_failed"]
    assert [entry["given_up"] for entry in failures] == [False] * len(PAUSES) + [True]
    assert "hook.example" not in repr(logs), "no address in the log"


def test_what_will_never_work_is_given_up_at_once(tables: Tables) -> None:
    party = Party(tables, 2)
    added = wish(party, 1)
    until_turn_of(party, 1)
    with telling(tables, Mailman(lambda: Unreachable("status_410", final=True))) as notifier:
        settled(notifier, tables)
    found = tables.wishes().found(added.id)
    assert found is not None
    assert found.trouble == "status_410"


def test_an_error_that_nobody_foresaw_silences_nobody_and_tells_no_address(tables: Tables) -> None:
    party = Party(tables, 2)
    wish(party, 1)
    until_turn_of(party, 1)
    mailman = Mailman(lambda: RuntimeError(f"cannot send to {ADDRESS}"))
    with capture_logs() as logs, telling(tables, mailman) as notifier:
        settled(notifier, tables)
    assert [entry["reason"] for entry in logs if entry["event"] == "notice_failed"] == ["RuntimeError"]
    assert "hook.example" not in repr(logs)


def test_several_tables_at_once_are_one_notice(tables: Tables) -> None:
    first = Party(tables, 2)
    second = Party(tables, 2, start=False)
    tables.stand_up(second.id, second.tokens[1])
    second.tokens[1] = tables.sit(second.id, "Bea", first.tokens[1], 1).token
    tables.start(second.id, second.creator)
    for party in (first, second):
        wish(party, 1)
        until_turn_of(party, 1)
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        settled(notifier, tables)
    assert len(mailman.sent) == 1
    notice = mailman.sent[0][1]
    assert {fact["table"] for fact in notice.facts} == {first.id, second.id}
    assert notice.title == "It is your turn at 2 tables"


def test_between_two_notices_it_is_quiet(tables: Tables, url: str) -> None:
    party = Party(tables, 2)
    added = wish(party, 1, every=600)
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        until_turn_of(party, 1)
        settled(notifier, tables)
        assert len(mailman.sent) == 1
        first = mailman.told()[0][1]
        party.until(lambda t: t.status == "over" or (t.decision_number(1) > first and whose(party) != 1))
        if party.table.status != "over":
            until_turn_of(party, 1)
        settled(notifier, tables)
        assert len(mailman.sent) == 1
        due = tables.wishes().next_due()
        assert due is not None
        assert 400 < due <= 600
        rows(url, "UPDATE notice_recipients SET due_at = 1")
        wait_for(lambda: len(mailman.sent) == 2)
    assert added.id == mailman.sent[1][0].id


def test_the_end_is_told_to_those_who_did_not_bring_it_about(tables: Tables) -> None:
    party = Party(tables, 2)
    for seat in (0, 1):
        wish(party, seat, address=f"https://hook.example/{seat}")
    party.to_the_end()
    last = [line for line in party.table.log(None) if line.kind == "play"][-1].seat
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        settled(notifier, tables)
    assert {recipient.owner for recipient, _ in mailman.sent} == {token_hash(party.tokens[1 - (last or 0)])}
    assert mailman.told()[-1][0] == "over"
    assert "won" in mailman.sent[-1][1].title


def test_one_is_told_of_what_one_is_asked_for(tables: Tables) -> None:
    party = Party(tables, 2)
    asked = 1
    wish(party, asked)
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        settled(notifier, tables)
        tables.ask_pause(party.id, party.tokens[0], "pause-1")
        settled(notifier, tables)
        requests = [number for kind, number in mailman.told() if kind == "request"]
        assert requests == [party.table.request.number if party.table.request else -1]
        assert "pause the game" in mailman.sent[-1][1].text
        tables.answer_request(party.id, party.tokens[1], requests[0], True)
        before = len(mailman.sent)
        party.tables.say(party.id, party.tokens[0], "Later, then.", "say-1")
        settled(notifier, tables)
        assert len(mailman.sent) == before, "while it is paused, nobody is asked to decide"


def test_a_computer_that_stands_in_is_not_told(tables: Tables) -> None:
    party = Party(tables, 2)
    wish(party, 1)
    tables.leave(party.id, party.tokens[1])
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        party.until(lambda t: t.status == "over" or 1 in t.deciders(), lambda: party.act(0, party.table.legal(0)[0]))
        settled(notifier, tables)
        assert [kind for kind, _ in mailman.told() if kind == "turn"] == []


def test_whose_time_was_up_is_told_once_that_a_computer_stands_in(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = Party(tables, 2, clock="move:60")
    seat = whose(party)
    wish(party, seat)
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        now = time.time() + 3600
        with monkeypatch.context() as later:
            later.setattr(service, "time", SimpleNamespace(time=lambda: now, perf_counter=time.perf_counter))
            tables.time_up(party.id)
        number = party.table.number
        settled(notifier, tables)
        assert mailman.told() == [("away", number)]
        assert "a computer stands in" in mailman.sent[0][1].text
        tables.say(party.id, party.tokens[1 - seat], "Where are you?", "say-1")
        settled(notifier, tables)
        tables.back(party.id, party.tokens[seat])
        settled(notifier, tables)
        assert len(mailman.sent) == 1, "coming back is one's own doing"


# -- time that runs out ---------------------------------------------------------------------------------------------

DAY = 24 * 3600


def test_who_is_asked_for_long_is_warned_once_that_time_runs_out(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = Party(tables, 2, clock=f"day:{DAY}")
    seat = whose(party)
    wish(party, seat)
    later = [0.0]
    clock = SimpleNamespace(time=lambda: time.time() + later[0], monotonic=time.monotonic, sleep=time.sleep)
    monkeypatch.setattr(notifier_module, "time", clock)
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        settled(notifier, tables)
        later[0] = 0.75 * DAY - 60
        settled(notifier, tables)
        assert mailman.sent == []
        later[0] = 0.75 * DAY + 60
        wait_for(lambda: bool(mailman.sent))
        settled(notifier, tables)
        assert mailman.told() == [("low", party.table.decision_number(seat))]
        text = mailman.sent[0][1].text
        assert re.fullmatch(r"Your time runs out at .*: 5:5\d h left\. Then a computer stands in\.", text), text
        tables.say(party.id, party.tokens[1 - seat], "Are you there?", "say-1")
        later[0] = 0.9 * DAY
        settled(notifier, tables)
        assert len(mailman.sent) == 1
        party.until(lambda t: seat not in t.deciders())
        until_turn_of(party, seat)
        settled(notifier, tables)
        # By that clock the time is as good as over again, and who hears that need not hear of the turn.
        told = mailman.told()
        assert told[-1] == ("low", party.table.decision_number(seat))
        assert {kind for kind, _ in told} == {"low"}
        assert len(set(told)) == len(told)


def test_a_warning_says_what_the_notice_of_the_turn_would_have_said(tables: Tables) -> None:
    party = Party(tables, 2, clock=f"day:{DAY}")
    seat = whose(party)
    table = until_turn_of(party, 1 - seat)
    number, up = table.decision_number(1 - seat), table.until(1 - seat)
    assert up is not None
    for now, kind in ((up - DAY / 4 - 1, "turn"), (up - DAY / 4 + 1, "low"), (up + 1, "turn")):
        items, told = to_tell(table, 1 - seat, Told(), now)
        assert [(item.kind, item.number) for item in items] == [(kind, number)]
        assert told == Told(turn=number, low=number if kind == "low" else 0)
        assert to_tell(table, 1 - seat, told, now) == ([], told)


@pytest.mark.parametrize(
    ("clock", "low", "warned"),
    [
        ("move:60", 0, False),  # there would be 15 seconds left
        (f"move:{4 * 600}", 0, True),
        (f"bank:{DAY}:60", 0, True),
        (f"bank:{DAY}:60", 1, False),  # once in a game
        (f"day:{DAY}", 1, True),  # that was another decision
    ],
)
def test_who_is_warned(tables: Tables, clock: str, low: int, warned: bool) -> None:
    party = Party(tables, 2, clock=clock)
    seat = whose(party)
    table = until_turn_of(party, 1 - seat)
    seconds = table.clock.seconds
    at = warned_at(table, 1 - seat, Told(turn=table.number, low=low))
    if warned:
        assert at == pytest.approx(time.time() + 0.75 * seconds, abs=60)
    else:
        assert at is None
    assert warned_at(table, seat, Told()) is None, "it is not their decision"


def test_when_the_time_is_up_and_nobody_stands_in_there_is_nothing_to_wait_for(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would look again and again, without a pause, for as long as nobody decides."""
    party = Party(tables, 2, clock=f"day:{DAY}:0:-")
    wish(party, whose(party))
    late = SimpleNamespace(time=lambda: time.time() + 2 * DAY, monotonic=time.monotonic, sleep=time.sleep)
    monkeypatch.setattr(notifier_module, "time", late)
    mailman = Mailman()
    looks: list[str] = []
    sound = Notifier._look

    def look(self: Notifier, table_id: str) -> None:
        looks.append(table_id)
        sound(self, table_id)

    monkeypatch.setattr(Notifier, "_look", look)
    with telling(tables, mailman) as notifier:
        settled(notifier, tables)
        time.sleep(0.5)
    assert mailman.sent == []
    assert len(looks) < 5


def test_nobody_is_warned_while_the_game_rests_or_a_computer_plays(tables: Tables) -> None:
    party = Party(tables, 2, clock=f"day:{DAY}")
    seat = whose(party)
    assert warned_at(party.table, seat, Told()) is not None
    tables.leave(party.id, party.tokens[seat])
    assert warned_at(party.table, seat, Told()) is None


def test_a_table_that_is_put_away_is_forgotten_and_the_address_with_it(tables: Tables, url: str) -> None:
    party = Party(tables, 2)
    wish(party, 1)
    with telling(tables, Mailman()) as notifier:
        settled(notifier, tables)
        tables.archive(party.id, time.time() + 1)
        wait_for(lambda: rows(url, "SELECT * FROM notice_wishes") == [])
    assert rows(url, "SELECT * FROM notice_recipients") == []


def test_whose_seat_is_taken_by_another_is_told_no_more(tables: Tables, url: str) -> None:
    party = Party(tables, 2)
    wish(party, 1)
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        settled(notifier, tables)
        tables.offer(party.id, party.tokens[1], 1)
        tables.take(party.id, "Eva", 1)
        wait_for(lambda: rows(url, "SELECT * FROM notice_recipients") == [])
    assert mailman.sent == []


def test_the_rematch_is_told_of_without_being_asked_again(tables: Tables) -> None:
    party = Party(tables, 2)
    for seat in (0, 1):
        wish(party, seat, address=f"https://hook.example/{seat}")
    party.to_the_end()
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        settled(notifier, tables)
        following = tables.rematch(party.id, party.tokens[0])
        wait_for(lambda: tables.wishes().tables() == {following})
        if tables.table(following).status == "open":
            tables.start(following, party.tokens[0])
        settled(notifier, tables)
    assert ("turn", following) in [(f["kind"], f["table"]) for _, n in mailman.sent for f in n.facts]


def test_a_mailbox_that_is_not_confirmed_gets_one_question_and_nothing_else(tables: Tables, url: str) -> None:
    party = Party(tables, 2)
    added = wish(party, 1, address="ann@mail.example", kind="mail")
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        settled(notifier, tables)
        assert mailman.kinds() == ["confirm"]
        until_turn_of(party, 1)
        settled(notifier, tables)
        assert mailman.kinds() == ["confirm"]
        tables.wishes().confirm(added.id)
        notifier.wanted(party.id)
        wait_for(lambda: mailman.kinds() == ["confirm", "notice"])
    other = Party(tables, 2)
    stranger = wish(other, 0, address="ben@mail.example", kind="mail")
    rows(url, f"UPDATE notice_recipients SET made_at = 1 WHERE id = '{stranger.id}'")
    tables.wishes().sweep()
    assert tables.wishes().found(stranger.id) is None, "two days later it is forgotten"
    assert tables.wishes().found(added.id) is not None


def test_a_mailbox_cannot_be_asked_again_and_again(tables: Tables, url: str) -> None:
    first, second = Party(tables, 2), Party(tables, 2)
    added = wish(first, 0, address="ann@mail.example", kind="mail")
    with pytest.raises(AskedAlready):
        wish(second, 0, address="Ann@mail.example", kind="mail")
    tables.wishes().drop(first.id, added.id)
    with pytest.raises(AskedAlready):
        wish(second, 0, address="ann@mail.example", kind="mail")
    rows(url, "UPDATE notice_recipients SET made_at = 1000")
    again = wish(second, 0, address="ann@mail.example", kind="mail")
    tables.wishes().stop(again.id, for_good=True)
    rows(url, "UPDATE notice_recipients SET made_at = made_at - 7200")
    with pytest.raises(AskedAlready):
        wish(first, 1, address="ann@mail.example", kind="mail")
    tables.wishes().sweep()
    rows(url, "UPDATE notice_recipients SET made_at = 1")
    tables.wishes().sweep()
    assert rows(url, "SELECT * FROM notice_recipients") == []


def test_there_is_an_end_to_what_one_may_ask_for(tables: Tables) -> None:
    party = Party(tables, 2)
    for i in range(MOST_AT_A_TABLE):
        wish(party, 0, address=f"https://hook.example/{i}")
    with pytest.raises(TooMany):
        wish(party, 0, address="https://hook.example/more")
    wish(party, 0, address="https://hook.example/1", every=3600)  # one that is there already may be changed
    assert [found.every for found in tables.wishes().of(party.id, token_hash(party.tokens[0]))].count(3600) == 1
    wish(party, 1, address="https://hook.example/more")  # others have their own


def test_after_an_older_copy_was_put_back_one_is_told_anew(tables: Tables) -> None:
    party = Party(tables, 2)
    wish(party, 1)
    table = until_turn_of(party, 1)
    found = tables.wishes().at(party.id)[0][0]
    tables.wishes().done(found.id, {party.id: Told(turn=table.number + 500)}, sent=False)
    mailman = Mailman()
    with telling(tables, mailman) as notifier:
        settled(notifier, tables)
    assert mailman.told() == [("turn", table.decision_number(1))]
