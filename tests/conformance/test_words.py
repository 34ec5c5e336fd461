"""Every game has words for all that can happen, be asked, be chosen and be refused."""

from random import Random

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.events import Event
from shopfloor.engine.refusals import BadSetup
from tests.conformance.cases import Case, every_case, every_count, every_game, values
from tests.playing import decisions

PLAIN = (bool, int, str, list, type(None))


def is_sentence(text: str) -> bool:
    """Something that a person can read: no empty text, no forgotten placeholder."""
    return text.strip() == text != "" and "{" not in text and text[-1] in ".?!"


def check_facts(case: Case, event: Event) -> None:
    assert tuple(event.facts) == case.game.events[event.kind]
    for fact in event.facts.values():
        assert isinstance(fact, PLAIN)
        assert not isinstance(fact, list) or all(isinstance(part, PLAIN) for part in fact)
    assert event.clause
    assert event.audience is None or set(event.audience) <= set(case.seats)


@every_case
def test_events_are_as_announced_and_can_be_told(case: Case) -> None:
    words = case.game.words
    for seed in range(4):
        s = case.start(seed)
        for _ in decisions(s, Random(seed)):
            pass
        for event in s.drain():
            check_facts(case, event)
            for viewer in (None, *case.seats):
                if event.concerns(viewer):
                    assert is_sentence(words.event(event, case.names, viewer)), event


@every_count
def test_names_are_shown_as_they_are(case: Case) -> None:
    """Whatever people call themselves."""
    names = [f"{{{seat}}} %s <b>" for seat in case.seats]
    s = case.start(1)
    told = ""
    for _ in decisions(s, Random(1)):
        told += "".join(case.game.words.event(e, names, None) for e in s.drain() if e.audience is None)
    assert all(name in told for name in names)


@every_case
def test_questions_buttons_and_refusals(case: Case) -> None:
    words = case.game.words
    s = case.start(17)
    rng = Random(17)
    while True:
        for seat in (None, *case.seats):
            view = case.game.view(s, seat)
            assert is_sentence(words.question(view, case.names))
            if seat is None:
                continue
            labels = [words.action(action, view) for action in s.legal(seat)]
            assert all(label and label == label.strip() and "{" not in label for label in labels)
            assert len(set(labels)) == len(labels)
            for action in range(-1, s.space.size + 1):
                refusal = s.refusal(seat, action)
                if refusal is not None:
                    assert is_sentence(words.refusal(refusal, case.names)), refusal
        if s.over():
            return
        for _ in decisions(s, rng, most=6):
            pass


@every_game
def test_options_are_explained(game) -> None:
    for option in game.options:
        title, sentence = game.words.option(option.id)
        assert title
        assert is_sentence(sentence)
        said = [game.words.option_value(option.id, value) for value in option.values]
        assert all(said)
        assert len(set(said)) == len(said)


@every_game
def test_refused_set_ups_are_explained(game) -> None:
    wrong: list[tuple[int, dict[str, str]]] = [(99, {}), (game.player_counts[0], {"no such option": "1"})]
    for option in values(game, game.player_counts[0]):
        wrong.append((game.player_counts[0], {option: "no such value"}))
    for players, options in wrong:
        with pytest.raises(BadSetup) as caught:
            game.start(players, FastDice(1), options)
        assert is_sentence(game.words.refusal(caught.value.refusal, []))


@every_count
def test_the_final_order_is_explained(case: Case) -> None:
    words = case.game.words
    s = case.start(18)
    for _ in decisions(s, Random(18)):
        pass
    standing = s.standing()
    for i, criterion in enumerate(standing.criteria):
        heading, why = words.criterion(criterion)
        assert heading
        assert why
        for rank in standing.ranks:
            assert words.criterion_value(criterion, rank.values[i])
