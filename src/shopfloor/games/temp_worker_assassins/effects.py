"""The small language in which cards, spaces and targets say what they do, and the one code that it becomes.

A text such as `draw 3; discard 1` is a list of steps, done in order. What has to be done becomes instructions of
four integers each (operation, number, argument, may), which one interpreter follows (`resolve.py`); what counts
towards an attack becomes terms, which are added up at the end (TA-6.5). A word that is not in the language is refused
with the list of those that are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

# Operations. Those up to LAST_PICK are done one pick at a time, the others by themselves.
END: Final = 0
DISCARD: Final = 1
TRASH: Final = 2
GAIN: Final = 3
RECOVER: Final = 4
SWAP: Final = 5
EVICT: Final = 6
RELOCATE: Final = 7
LAST_PICK: Final = 7
RESEARCH: Final = 8
CHOOSE: Final = 9
DRAW: Final = 10
CLEAR: Final = 11
CYCLE: Final = 12
RELEASE: Final = 13
START_MARKER: Final = 14
HERE: Final = 15
JUMP: Final = 16
WIDTH: Final = 4

# Arguments of DISCARD that are no tag.
ANY: Final = -1
IDENTICAL: Final = -2

# Terms of an attack, four integers each: what they are and their numbers.
FLAT: Final = 0  # amount
PER_TAG: Final = 1  # tag, amount for each played card with it, at most so many cards
IF_TAG: Final = 2  # tag, so many played cards with it, amount
IF_PLAYED: Final = 3  # so many played cards, amount
IF_DEFENCE: Final = 4  # the target's defence is at least so much, amount
IF_EMPTY: Final = 5  # no card is left in hand: amount
HAND_SIZE: Final = 6  # no attack: new hands after attempts have so many cards (TA-A39)

# Where a text stands.
CARD: Final = "card"
SPACE: Final = "space"
BONUS: Final = "bonus"
END_BONUS: Final = "end bonus"

HOLES: Final = r"TAG|NAME|\b[A-Z]\b"
MAX_NUMBER: Final = 99
MAX_OPTIONS: Final = 4


@dataclass(frozen=True)
class Form:
    """One word of the language. `text` has TAG for a tag, NAME for a target's name and capital letters for numbers."""

    text: str
    places: tuple[str, ...]

    def pattern(self) -> re.Pattern[str]:
        parts = []
        for part in re.split(f"({HOLES})", self.text):
            if part == "TAG":
                parts.append(r"([a-z][a-z-]*)")
            elif part == "NAME":
                parts.append(r"(.+)")
            elif re.fullmatch(r"[A-Z]", part):
                parts.append(r"([0-9]+)")
            else:
                parts.append(re.escape(part))
        return re.compile("".join(parts))


ACTING: Final = (CARD, SPACE)
FORMS: Final = {
    name: Form(text, places)
    for name, text, places in (
        ("attack", "attack N", (CARD,)),
        ("attack_per", "attack_per TAG N max K", (CARD,)),
        ("attack_if_tag", "attack_if tag:TAG>=M N", (CARD,)),
        ("attack_if_played", "attack_if played>=M N", (CARD,)),
        ("attack_if_defence", "attack_if defence>=M N", (CARD,)),
        ("attack_if_hand", "attack_if hand=0 N", (CARD,)),
        ("buff", "buff TAG N max K", (CARD,)),
        ("end_bounty", "end_bounty N", (CARD,)),
        ("draw", "draw N", ACTING),
        ("discard_identical", "discard N identical", ACTING),
        ("discard_tag", "discard N TAG", ACTING),
        ("discard", "discard N", ACTING),
        ("trash", "trash N", (CARD, SPACE, BONUS)),
        ("gain", "gain N", (CARD, SPACE, BONUS)),
        ("research", "research N", (CARD, SPACE, BONUS)),
        ("clear", "clear", ACTING),
        ("recover", "recover N", ACTING),
        ("here_attack", "here_attack N", (SPACE,)),
        ("here_attack_per", "here_attack_per TAG N max K", (SPACE,)),
        ("here_defence_if", "here_defence_if D N", (SPACE,)),
        ("here_hand", "here_hand N", (SPACE,)),
        ("cycle", "cycle", (SPACE,)),
        ("swap_target", "swap_target N", (SPACE,)),
        ("evict", "evict N", (SPACE,)),
        ("relocate", "relocate N", (SPACE,)),
        ("release", "release N", (SPACE,)),
        ("start_marker", "start_marker", (SPACE,)),
        ("new_hand", "new_hand N", (BONUS,)),
        ("release_self", "release_self", (BONUS,)),
        ("end_per_name", "end_per name:NAME N", (END_BONUS,)),
        ("end_per_distinct", "end_per distinct D G max K", (END_BONUS,)),
    )
}
PATTERNS: Final = {name: form.pattern() for name, form in FORMS.items()}

OPERATIONS: Final = {
    "draw": DRAW,
    "discard": DISCARD,
    "discard_identical": DISCARD,
    "discard_tag": DISCARD,
    "trash": TRASH,
    "gain": GAIN,
    "research": RESEARCH,
    "clear": CLEAR,
    "recover": RECOVER,
    "cycle": CYCLE,
    "swap_target": SWAP,
    "evict": EVICT,
    "relocate": RELOCATE,
    "release": RELEASE,
    "start_marker": START_MARKER,
}
"""Words that have something done. Of these a step may be optional (`may ...`)."""

LASTING: Final = ("here_attack", "here_attack_per", "here_defence_if", "here_hand")


@dataclass(frozen=True)
class Step:
    """One step of a text. name: of FORMS, or `choose`, then with one step for each option.

    numbers: the numbers in the order of the form. word: the tag or the target's name, if the form has one.
    """

    name: str
    numbers: tuple[int, ...] = ()
    word: str = ""
    may: bool = False
    options: tuple[Step, ...] = ()


Complain = Callable[[str, str], None]
"""Notes what is wrong and what would be right."""


def known_forms(place: str) -> list[str]:
    """The words that can stand in a place, as they are written."""
    return [form.text for form in FORMS.values() if place in form.places]


def parse(text: str, place: str, tags: Sequence[str] | None, complain: Complain) -> tuple[Step, ...]:
    """The steps of a text. What is wrong with one goes to `complain`, and the step is left out.

    tags: those that there are; None: any.
    """
    steps = []
    for part in text.split(";"):
        step = _parse_step(" ".join(part.split()), place, tags, complain)
        if step is not None:
            steps.append(step)
    return tuple(steps)


def _parse_step(text: str, place: str, tags: Sequence[str] | None, complain: Complain) -> Step | None:
    if text.startswith("choose ") and place in ACTING:
        parts = [part.strip() for part in text[7:].split(" / ")]
        if not 2 <= len(parts) <= MAX_OPTIONS:
            complain(f"'{text}' has {len(parts)} options", f"choose has 2 to {MAX_OPTIONS}, with ' / ' between them")
            return None
        options = [_parse_step(part, place, tags, complain) for part in parts]
        right = tuple(option for option in options if option is not None)
        return Step("choose", options=right) if len(right) == len(parts) else None
    may = text.startswith("may ")
    plain = text[4:] if may else text
    for name, form in FORMS.items():
        match = PATTERNS[name].fullmatch(plain)
        if match is None or place not in form.places:
            continue
        if may and name not in OPERATIONS:
            complain(f"'{text}' has a 'may'", "only what is done can be optional; what counts counts by itself")
            return None
        if may and place == BONUS:
            complain(f"'{text}' has a 'may'", "every bonus of a target may be declined anyhow")
            return None
        holes = re.findall(HOLES, form.text)
        found = list(zip(holes, match.groups(), strict=True))
        numbers = tuple(int(group[:9]) for hole, group in found if len(hole) == 1)
        word = next((group for hole, group in found if len(hole) > 1), "")
        wrong = next((n for n in numbers if not 1 <= n <= MAX_NUMBER), None)
        if wrong is not None:
            complain(f"'{text}' has the number {wrong}", f"numbers are from 1 to {MAX_NUMBER}")
            return None
        if tags is not None and "TAG" in form.text and word not in tags:
            complain(f"'{text}': no card has the tag '{word}'", f"there are: {', '.join(tags)}")
            return None
        return Step(name, numbers, word, may)
    complain(f"the effect '{text[:60]}' is not known", f"known on a {place}: {'; '.join(known_forms(place))}")
    return None


@lru_cache(maxsize=512)
def read(text: str, place: str) -> tuple[Step, ...]:
    """The steps of a text that an edition has been found right with."""
    return parse(text, place, None, lambda what, why: None) if text else ()


def text_of(step: Step) -> str:
    """A step as it is written."""
    if step.name == "choose":
        return "choose " + " / ".join(text_of(option) for option in step.options)
    numbers = [str(n) for n in step.numbers]
    text = re.sub(HOLES, lambda m: step.word if len(m[0]) > 1 else numbers.pop(0), FORMS[step.name].text)
    return f"may {text}" if step.may else text


def join(steps: Sequence[Step]) -> str:
    """Steps as they are written."""
    return "; ".join(text_of(step) for step in steps)


@dataclass
class Code:
    """All texts of an edition as one list of instructions, made once.

    instructions: WIDTH integers each. lasting: terms that hold while an assassin stays; HERE names them by number;
    lasting_texts: as they are written.
    tags: the tags by name. steps: for each instruction the text of its step, for words and reports.
    """

    tags: Mapping[str, int]
    instructions: list[int] = field(default_factory=list)
    lasting: list[tuple[int, int, int, int]] = field(default_factory=list)
    lasting_texts: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def add(self, steps: Sequence[Step], optional: bool = False) -> int:
        """Put down a program; where it begins. `optional`: every step may be declined (TA-A38)."""
        start = len(self.instructions)
        for step in steps:
            self._add_step(step, optional)
        self._put("", END)
        return start

    def _put(self, text: str, operation: int, number: int = 0, argument: int = 0, may: bool = False) -> int:
        at = len(self.instructions)
        self.instructions += [operation, number, argument, int(may)]
        self.texts.append(text)
        return at

    def _add_step(self, step: Step, optional: bool) -> None:
        text = text_of(step)
        may = step.may or optional
        if step.name == "choose":
            # CHOOSE, a JUMP to each option, then the options, each ending with a JUMP to what follows.
            self._put(text, CHOOSE, len(step.options))
            jumps = [self._put(text_of(option), JUMP) for option in step.options]
            ends = []
            for jump, option in zip(jumps, step.options, strict=True):
                self.instructions[jump + 2] = len(self.instructions)
                self._add_step(option, optional)
                ends.append(self._put("", JUMP))
            for end in ends:
                self.instructions[end + 2] = len(self.instructions)
        elif step.name in LASTING:
            self._put(text, HERE, 0, len(self.lasting))
            self.lasting.append(lasting_term(step, self.tags))
            self.lasting_texts.append(text)
        elif step.name in OPERATIONS:
            number = step.numbers[0] if step.numbers else 1
            argument = ANY
            if step.name == "discard_identical":
                argument = IDENTICAL
            elif step.name == "discard_tag":
                argument = self.tags[step.word]
            self._put(text, OPERATIONS[step.name], number, argument, may)


def lasting_term(step: Step, tags: Mapping[str, int]) -> tuple[int, int, int, int]:
    """What a `here_...` step adds to the attempts of who stands there."""
    if step.name == "here_attack":
        return (FLAT, step.numbers[0], 0, 0)
    if step.name == "here_attack_per":
        return (PER_TAG, tags[step.word], step.numbers[0], step.numbers[1])
    if step.name == "here_defence_if":
        return (IF_DEFENCE, step.numbers[0], step.numbers[1], 0)
    return (HAND_SIZE, step.numbers[0], 0, 0)


def card_term(step: Step, tags: Mapping[str, int]) -> tuple[int, int, int, int] | None:
    """What a step of a played card adds to the attack, None if it is a step of another kind."""
    n = step.numbers
    if step.name == "attack":
        return (FLAT, n[0], 0, 0)
    if step.name in ("attack_per", "buff"):  # both count cards with the tag, the card itself too
        return (PER_TAG, tags[step.word], n[0], n[1])
    if step.name == "attack_if_tag":
        return (IF_TAG, tags[step.word], n[0], n[1])
    if step.name == "attack_if_played":
        return (IF_PLAYED, n[0], n[1], 0)
    if step.name == "attack_if_defence":
        return (IF_DEFENCE, n[0], n[1], 0)
    if step.name == "attack_if_hand":
        return (IF_EMPTY, n[0], 0, 0)
    return None
