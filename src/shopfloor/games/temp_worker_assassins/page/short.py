"""Effects as signs have them: shorter than sentences, with an attack, a draw or a bounty as a picture."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from shopfloor.games.temp_worker_assassins.effects import CARD, SPACE, Step, read
from shopfloor.games.temp_worker_assassins.words import steps, tag

SHORT: Final = {
    "attack": "+{n}",
    "attack_per": "+{n} a {tag}, max {k}",
    "attack_if_tag": "+{n} with {m} {tags}",
    "attack_if_played": "+{n} if {m} played",
    "attack_if_defence": "+{n} if defence {m}+",
    "attack_if_hand": "+{n} if hand empty",
    "buff": "+{n} a {tag}, max {k}",
    "end_bounty": "+{n}",
    "here_attack": "+{n} attack today",
    "here_attack_per": "+{n} a {tag} today, max {k}",
    "here_defence_if": "+{n} today if defence {m}+",
    "here_hand": "New hands of {n}",
    "cycle": "Renew your hand",
    "swap_target": "Swap target",
    "evict": "Evict {n}",
    "relocate": "Relocate {n}",
    "release": "Release {n}",
    "start_marker": "Start tomorrow",
    "discard_identical": "Discard {n} alike",
    "end_per_name": "+{n} a {word}",
    "end_per_distinct": "+{k} per {n} kinds, max {most}",
    "release_self": "Assassin comes back",
}
PICTURES: Final = {"attack": "attack", "end_bounty": "bounty", "draw": "deck"}
TERMS: Final = ("attack_per", "attack_if_tag", "attack_if_played", "attack_if_defence", "attack_if_hand", "buff")


def _step(step: Step) -> str:
    if step.name == "choose":
        return " or ".join(_step(option) for option in step.options)
    text = SHORT.get(step.name)
    if text is None:
        return steps((step,))
    n = step.numbers
    facts: dict[str, object] = {"n": n[-1] if n else 0, "m": n[0] if n else 0, "word": step.word}
    if step.word:
        facts |= {"tag": tag(step.word), "tags": tag(step.word, n[0] if n else 1)}
    if step.name in ("attack_per", "buff", "here_attack_per"):
        facts |= {"n": n[0], "k": n[1]}
    elif step.name == "end_per_distinct":
        facts |= {"n": n[0], "k": n[1], "most": n[2]}
    found = text.format(**facts)
    return f"may {found[:1].lower()}{found[1:]}" if step.may else found


@lru_cache(maxsize=512)
def short(text: str, place: str = SPACE) -> str:
    """An effect for a door sign: `Trash 1, draw 1`."""
    parts = [_step(step) for step in read(text, place) or ()]
    joined = ", ".join([parts[0], *(p[:1].lower() + p[1:] for p in parts[1:])]) if parts else ""
    return joined[:1].upper() + joined[1:]


@lru_cache(maxsize=512)
def glyphs(text: str) -> tuple[tuple[str, str], ...]:
    """A card's effect as pairs of a symbol's name (or nothing) and text, in printed order."""
    found: list[tuple[str, str]] = []
    for step in read(text, CARD) or ():
        if step.name in PICTURES and not step.may:
            sign = "+" if step.name != "draw" else ""
            found.append((PICTURES[step.name], f"{sign}{step.numbers[0]}"))
        else:
            found.append(("attack" if step.name in TERMS else "", _step(step)))
    return tuple(found)
