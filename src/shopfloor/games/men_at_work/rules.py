"""The rules of Men at Work (docs/rules/men_at_work.md): cards, turns, certificates, awards, clean-up and the end.

There is no physics here. A decision that the world has a say in brings an outcome, what the site measured when it
had had its way; the judge reads it, and the game goes on from there. Without one the dice draw it (`chance.py`).
Clauses are cited where code is not the clause itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from shopfloor.engine.dice import Dice, FastDice
from shopfloor.engine.options import JOIN
from shopfloor.engine.refusals import BadSetup, IllegalAction, Refusal
from shopfloor.engine.state import Rank, Standing
from shopfloor.games.men_at_work import chance, compliance, geometry, refusals
from shopfloor.games.men_at_work.actions import (
    CHOOSE_GIRDER,
    CHOOSE_GLOVE,
    CLEAN_DONE,
    CRANE_PLACES,
    DESIGN_FREE,
    FINISH,
    GIVE_UP,
    GO_ON,
    GRIP,
    LEAVE_SUPPORT,
    NEXT_PIECE,
    PLAY_ON_DECK,
    PLAY_ON_DISCARD,
    PUSH_BACK,
    RELEASE,
    RETRIEVE,
    RETURN_SUPPORT,
    STAND_CRANE,
)
from shopfloor.games.men_at_work.cards import BLANK, CARDS, GIRDER_HOW, HELMET, KINDS, RITA, WORKER_HOW, Cards
from shopfloor.games.men_at_work.judge import Finding, award, judge, lacking, site_findings
from shopfloor.games.men_at_work.outcome import Outcome, check, read, refuse
from shopfloor.games.men_at_work.pieces import (
    BEAM,
    BRICK,
    COLOURS,
    FIRST,
    GIRDER,
    HAT,
    KIND,
    LENGTH,
    NAMES,
    OF_COLOUR,
    OF_KIND,
    PIECES,
    SUPPORT,
    WORKER,
    name,
)
from shopfloor.games.men_at_work.position import (
    AWARD_GOAL,
    AWARDS,
    BUILD,
    CERTIFICATES,
    CHOOSE,
    CLEANUP,
    CRANE_STANDING,
    DEAD,
    GAME_OVER,
    HALT,
    MOST_FLIPS,
    NOBODY,
    NOT_IN_DECK,
    PHASE_NAMES,
    SITE,
    SITE_DESIGN,
    STOCK,
    SUPPLY,
    Position,
    settled_site,
    standing_site,
    without,
)
from shopfloor.games.men_at_work.turn import duties, foreman_limit, lost_in_box, task, units

CRITERIA: Final = ("won", "in_game", "total", "awards")
MOST_ATTEMPTS: Final = 10**6


class MenAtWork(Position):
    """A complete position of the game, ready to be played."""

    __slots__ = ()

    # -- 3. Set-up ---------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Cards, certificates and the supply (MW-3.11 to MW-3.17, MW-13.1); then the youngest designs the site."""
        options, n = self.options, self.players
        experts = options["expert"]
        for seat in range(n):
            expert = experts == "all" or str(seat) in experts.split(JOIN)
            self.certificates.append(2 if expert else 3)
        self.hook = self.youngest
        self.rest = list(range(CARDS))
        if self.on("foreman"):
            for seat in range(n):
                self.hands[seat] = sorted(self._draw() for _ in range(2))
        size = len(self.rest)
        jitter = int(options["rita_jitter"])
        above = size // 4  # MW-A.5
        self.rita_low, self.rita_high = above - jitter, above + jitter
        self.rita_above = above + (self.dice.below(2 * jitter + 1) - jitter if jitter else 0)
        if self.events is not None:
            facts: dict[str, object] = {"players": n, "youngest": self.youngest, "certificates": self.certificates[:]}
            self.report("game_began", "MW-3.15", facts)
            for seat, hand in enumerate(self.hands):
                if hand:
                    dealt: dict[str, object] = {
                        "seat": seat,
                        "cards": [self.cards.ids[card] for card in hand],
                        "workers": [self.whats[card] == HELMET for card in hand],
                        "colours": [[COLOURS[c] for c in self.cards.colours[card]] for card in hand],
                    }
                    self.report("cards_dealt", "MW-13.1", dealt, (seat,))
        self._show_top()

    def _draw(self) -> int:
        """A card from the deck below its visible ones, at random."""
        return self.rest.pop(self.dice.below(len(self.rest)))

    def design_pieces(self) -> tuple[int, ...]:
        """The pieces of a starting site, from the supply (MW-3.2 to MW-3.4, MW-15.1; MW-A.58: as many as there are)."""
        supports = [] if self.on("skyscraper") else self.spare(OF_KIND[SUPPORT], 3)
        girders = [piece for colour in range(4) for piece in self.spare(OF_COLOUR[colour])]
        workers = self.spare(OF_KIND[WORKER])
        hats = self.spare(OF_KIND[HAT]) if workers else []
        return (*supports, *girders, *workers, *hats)

    def _design(self, plan: int, outcome: Outcome | None) -> None:
        pieces = self.design_pieces()
        if outcome is None:
            found = chance.design(self, self.dice.below(3) if plan == DESIGN_FREE else plan, pieces)
        else:
            found = outcome
        new = [piece for piece in found.pieces() if self.place[piece] == SUPPLY]
        wanted = tuple(sum(KIND[p] == kind for p in pieces) for kind in (SUPPORT, GIRDER, WORKER))
        counts = (wanted[0], wanted[1], wanted[2])
        findings = site_findings(found, self.limits, new, counts, self.on("skyscraper"))
        odd = [p for p in new if KIND[p] not in (SUPPORT, GIRDER, WORKER, HAT)]
        reasons = lacking(findings)
        if odd or "bad_setup_pieces" in reasons:
            reasons = ("bad_setup_pieces",)
        if reasons:
            concerned = [p for f in findings if f.code == reasons[0] and not f.met for p in f.pieces]
            raise IllegalAction(Refusal(reasons[0].upper(), _DESIGN_CLAUSES[reasons[0]], {"pieces": concerned}))
        missing = [p for p in self.standing_pieces() if p not in found.pieces()]
        if missing:
            raise refuse("pieces of the site are missing from it")
        for piece in new:
            self.place[piece] = SITE
        self.measure = settled_site(found)
        names = ["beginner", "advanced", "expert", "free"]
        self.report("site_designed", "MW-3.8", {"seat": self.hook, "plan": names[plan], "again": self.rebuilding})
        if self.on("crane") and not self.rebuilding:
            if self.on("skyscraper"):
                self.phase = CRANE_STANDING
                return
            self._stand_crane(0)
        if self.rebuilding:
            self.rebuilding = False
            self._reveal()
        else:
            self._first_turn()

    def _stand_crane(self, place: int) -> None:
        self.crane_place = place
        self.report("crane_stands", "MW-14.1", {"seat": self.hook, "place": CRANE_PLACES[place]})

    def _first_turn(self) -> None:
        self.report("hook_passed", "MW-4.2", {"seat": self.hook})
        self._reveal()

    # -- 4. Cards ------------------------------------------------------------------------------------------------

    def _show_top(self) -> None:
        """A card becomes the visible top of the deck."""
        while not self.stack:
            if self.rita_above == 0:
                self.rita_above = NOT_IN_DECK
                if self.whats[RITA] != BLANK and self.options["rita_back"] == "what":  # MW-A.6 (a)
                    self.stack, self.stack_owner = [RITA], [NOBODY]
                    return
                self._lay_rita_aside()
                continue
            if not self.rest:
                return
            self.stack, self.stack_owner = [self._draw()], [NOBODY]
            if self.rita_above != NOT_IN_DECK:
                self.rita_above -= 1
                self.rita_low = max(self.rita_low, 1) - 1
                self.rita_high -= 1

    def _lay_rita_aside(self) -> None:
        """MW-11.2."""
        self.rita_active = True
        self.report("rita_revealed", "MW-11.1", {"seat": self.hook})

    def _flip(self) -> None:
        """The deck's top card goes to the discard pile (MW-4.5, MW-4.8); Boss Rita is laid aside (MW-11.2)."""
        self.revelations += 1
        while True:
            last = self.deck_size() == 1
            aside = self.discard if last else []
            card = self.stack.pop()
            self.stack_owner.pop()
            if last:
                self.discard = []
                self.rest = sorted(aside)
                self.report("deck_shuffled", "MW-4.8", {"cards": len(aside)})
            if card == RITA:
                self._lay_rita_aside()
                self._show_top()
                continue
            self.discard.append(card)
            self._show_top()
            return

    def _reveal(self) -> None:
        """MW-S.3: a new turn of the hook's holder."""
        self.turn += 1
        self.flips = 0
        self.plays = 0
        self.colour = BLANK
        self.units = ()
        self.step = 0
        self.attempts = 0
        self.held = []
        self.placed = []
        self.findings = ()
        self.fallen = []
        self.before = self.site()
        self.measure = standing_site(self.measure)
        self.base = self.measure
        self.phase = CHOOSE
        self._flip_on()

    def _flip_on(self) -> None:
        """Flip until the instruction can be followed (MW-16.6), or the Foreman's player may do something about it."""
        while True:
            if self.flips >= MOST_FLIPS or not self.stack:  # MW-A.12
                self._end(HALT, "MW-A.12")
                return
            self._flip()
            self.flips += 1
            self._report_pair()
            if not self._impossible():
                return
            if self.phase == GAME_OVER:
                return

    def _report_pair(self) -> None:
        if self.events is None:
            return
        kind, first, second = self.what()
        card = self.discard[-1]
        facts: dict[str, object] = {
            "seat": self.hook,
            "worker": kind == HELMET,
            "colours": [] if kind == BLANK else [COLOURS[first], COLOURS[second]],
            "girder_how": GIRDER_HOW[self.cards.girder_how[card]],
            "worker_how": WORKER_HOW[self.cards.worker_how[card]],
        }
        self.report("card_revealed", "MW-4.5", facts)

    def _impossible(self) -> bool:
        """Must the next card be flipped? Reports it; the game may end here."""
        if compliance.colours(self):
            return False
        if self.hands[self.hook] and self.plays < foreman_limit(self):
            return False  # MW-13.2
        if self.options["supply_shortage"] == "halt" and compliance.supply_lacks(self):
            self._end(HALT, "MW-A.9")
            return True
        self.report("cannot_comply", "MW-16.6", {"seat": self.hook})
        return True

    # -- 13. Foreman ---------------------------------------------------------------------------------------------

    def _play_card(self, card: int, on_deck: bool) -> None:
        seat = self.hook
        self.revelations += 1
        self.hands[seat].remove(card)
        self.plays += 1
        if on_deck:  # MW-13.3, MW-A.54
            self.stack.append(card)
            self.stack_owner.append(seat)
        else:  # MW-13.4
            self.discard.append(card)
        self.phase = CHOOSE
        self.colour = BLANK
        self.units = ()
        if self.events is not None:
            clause = "MW-13.3" if on_deck else "MW-13.4"
            self.report("card_played", clause, {"seat": seat, "card": self.cards.ids[card], "on_deck": on_deck})
            self._report_pair()
        if self._impossible() and self.phase != GAME_OVER:
            self._flip_on()

    # -- 5. to 8. Building -----------------------------------------------------------------------------------------

    def _choose(self, colour: int) -> None:
        self.colour = colour
        self.units = units(self, colour)
        self.phase = BUILD
        helmet = self.what()[0] == HELMET
        facts: dict[str, object] = {"seat": self.hook, "colour": COLOURS[colour], "worker": helmet}
        facts["pieces"] = [p for _, unit in self.units for p in unit if KIND[p] != HAT]
        self.report("colour_chosen", "MW-5.2" if helmet else "MW-5.1", facts)

    def verdict(self, step: int | None = None) -> tuple[Finding, ...]:
        """What the judge says to the site as it was measured last; up to a step, or on the whole."""
        key = (len(self.units) if step is None else step, tuple(self.held), tuple(self.placed))
        known = self.verdicts.get(key)
        if known is None:
            known = self.verdicts[key] = judge(task(self), self.measure, self.limits, step)
        return known

    def _grip(self, piece: int) -> None:
        step = self.step_of(piece)
        self.held = self.unit(piece)
        if step < self.step:
            self.step = step  # MW-A.20: it no longer meets its condition
        for p in self.held:
            self.place[p] = SITE
        self.placed = [p for p in self.placed if p not in self.held]
        self.report("piece_gripped", "MW-6.1", {"seat": self.hook, "piece": piece})

    def _release(self, outcome: Outcome) -> None:
        seat, held = self.hook, self.held
        self._note_fallen(outcome)
        if outcome.accident is not None:
            self._accident(outcome)
            return
        self.measure = settled_site(outcome)
        self.placed = sorted({*self.placed, *held})
        self.held = []
        dropped = sorted(p for p in outcome.fell if self.step_of(p) >= 0)
        if dropped and lacking(self.verdict(self.step)):  # MW-9.6, MW-6.5: a failed try
            self.attempts += 1
            self.report("piece_dropped", "MW-9.6", {"seat": seat, "pieces": dropped})
        elif outcome.touched:
            self.attempts += 1
            self.report("touched", "MW-J.22", {"seat": seat, "pieces": list(outcome.touched)})
        else:
            self.report("piece_released", "MW-6.3", {"seat": seat, "piece": held[0]})
        self._out_of_tries()

    def _note_fallen(self, outcome: Outcome) -> None:
        self.fallen = sorted({*self.fallen, *outcome.fell})

    def _next_piece(self) -> None:
        self.step += 1
        self.report("piece_stands", "MW-A.20", {"seat": self.hook, "step": self.step})

    def _finish(self) -> None:
        seat = self.hook
        self.revelations += 1  # a try counts; it cannot be taken back
        self.findings = self.verdict()
        reasons = lacking(self.findings)
        if reasons:
            self.attempts += 1
            self.report("try_failed", "MW-6.5", {"seat": seat, "tries": self.attempts, "reasons": list(reasons)})
            self._out_of_tries()
            return
        pieces = [p for p in self.placed if KIND[p] != HAT]
        self.report("built", "MW-16.3", {"seat": seat, "instruction": self.instruction(), "pieces": pieces})
        self._award()

    def attempt_limit(self) -> int:
        """How many failed tries end a turn (MW-A.19)."""
        limit = self.options["attempt_limit"]
        return MOST_ATTEMPTS if limit == "off" else int(limit)

    def _out_of_tries(self) -> None:
        if self.attempts >= self.attempt_limit():
            self._give_up()

    def _give_up(self) -> None:
        """MW-A.19, MW-A.60: it counts as an accident."""
        self.report("given_up", "MW-A.19", {"seat": self.hook, "tries": self.attempts})
        self._back_to_supply(self.held)
        self._lose(self.hook, self.options["stuck_penalty"] == "certificate")

    def _back_to_supply(self, pieces: Iterable[int]) -> None:
        gone = set(pieces)
        self.measure = without(self.measure, gone)
        for piece in gone:
            self.place[piece] = SUPPLY
        self.fallen = [piece for piece in self.fallen if piece not in gone]
        self.held = []

    # -- 9. Accident -----------------------------------------------------------------------------------------------

    def _accident(self, outcome: Outcome) -> None:
        assert outcome.accident is not None
        what = outcome.accident
        self.revelations += 1
        self.accidents += 1
        if self.events is not None:
            facts: dict[str, object] = {"seat": self.hook, "how": what.kind, "piece": what.piece, "on": what.on}
            facts["fell"] = list(outcome.fell)
            self.report("accident", _ACCIDENT_CLAUSES[what.kind], facts)
        there = set(outcome.pieces())
        self._back_to_supply([piece for piece in self.held if piece not in there])  # MW-A.22
        self.measure = settled_site(outcome)
        costs = self.phase != CLEANUP or self.options["cleanup_accident_cost"] == "1"
        self._lose(self.hook, costs)

    def _lose(self, seat: int, costs: bool) -> None:
        """A certificate is lost, the turn is over, and the next player cleans up (MW-9.3 to MW-9.5, MW-9.8)."""
        if costs:
            self.certificates[seat] -= 1
            left = self.certificates[seat]
            self.report("certificate_lost", "MW-9.3", {"seat": seat, "left": left})
            if left == 0:
                self.report("eliminated", "MW-9.8", {"seat": seat})
                remaining = [s for s in range(self.players) if self.certificates[s]]
                if len(remaining) == 1:
                    self._end(CERTIFICATES, "MW-12.4")
                    return
        self._pass_hook()
        self._begin_cleanup()

    def _pass_hook(self) -> None:
        self.hook = self.left_of(self.hook)
        self.report("hook_passed", "MW-4.4", {"seat": self.hook})

    # -- 10. Clean-up ----------------------------------------------------------------------------------------------

    def _begin_cleanup(self) -> None:
        self.phase = CLEANUP
        self.colour = BLANK
        self.units = ()
        self.placed = []
        self.pushes = [0] * len(OF_KIND[GIRDER])
        self.base = self.measure
        if self.on("skyscraper"):
            self._bury()
        self.before = self.site()
        if self.events is not None:
            retrieve, supports = duties(self)
            facts: dict[str, object] = {"seat": self.hook, "pieces": [*retrieve, *supports]}
            self.report("clean_up_began", "MW-10.1", facts)

    def _bury(self) -> None:
        lost = lost_in_box(self)
        for piece in lost:
            self.place[piece] = DEAD
        if lost:
            self.report("left_in_box", "MW-15.8", {"pieces": lost})

    def _clean(self, outcome: Outcome) -> bool:
        """The site after something was done to it; False if that was an accident."""
        self._note_fallen(outcome)
        if outcome.accident is not None:
            self._accident(outcome)
            return False
        self.measure = settled_site(outcome)
        if self.on("skyscraper"):
            self._bury()
        return True

    def _retrieve(self, piece: int, outcome: Outcome) -> None:
        for p in self.taken_with(piece):
            self.place[p] = SUPPLY
        self.fallen = [p for p in self.fallen if self.place[p] != SUPPLY]
        self.report("retrieved", "MW-10.2", {"seat": self.hook, "piece": piece})
        self._clean(outcome)

    def taken_with(self, piece: int) -> list[int]:
        """A piece that is taken away, with the hat that it wears."""
        return [piece, *(hat for hat, worker in self.measure.worn if worker == piece)]

    def _push_back(self, girder: int, outcome: Outcome) -> None:
        self.pushes[girder - FIRST[GIRDER]] += 1
        seat = self.hook
        if not self._clean(outcome):
            return
        back = girder not in duties(self)[0]
        if back:
            self.fallen = [p for p in self.fallen if p != girder]
        self.report("pushed_back", "MW-10.4", {"seat": seat, "piece": girder, "back": back})

    def _decide_support(self, support: int, back: bool, outcome: Outcome | None) -> None:
        self.fallen = [p for p in self.fallen if p != support]
        if back:
            self.place[support] = SUPPLY
        self.report("support_decided", "MW-10.5", {"seat": self.hook, "piece": support, "back": back})
        if outcome is not None:
            self._clean(outcome)

    def _clean_done(self) -> None:
        self.report("cleaned", "MW-10.6", {"seat": self.hook})
        self.fallen = []
        site = self.site()
        bare = not any(KIND[p] in (SUPPORT, GIRDER) for p in site)
        if bare and not self.on("skyscraper"):  # MW-A.58
            if self.options["collapse_rebuild"] == "halt":
                self._end(HALT, "MW-A.58")
                return
            self.rebuilding = True
            self.phase = SITE_DESIGN
            self.report("collapsed", "MW-A.58", {"seat": self.hook})
            return
        if self._used_up():
            self._end(HALT, "MW-12.5")
            return
        self._reveal()

    # -- 11. and 12. Awards and the end ------------------------------------------------------------------------------

    def _award(self) -> None:
        """MW-S.9."""
        seat = self.hook
        if self.rita_active and sum(self.awards) < STOCK:
            crane = self._crane_top() if self.on("crane") and self.on("crane_counts") else ()
            dead = [piece for piece, place in enumerate(self.place) if place == DEAD]
            seen = without(self.measure, dead)
            if award(self.placed, seen, self.limits, self.on("award_on_tie"), crane):
                self.awards[seat] += 1
                self.report("award_given", "MW-11.3", {"seat": seat, "awards": self.awards[seat]})
                if self.awards[seat] >= AWARD_GOAL[self.players]:
                    self._end(AWARDS, "MW-2.4")
                    return
        if self._used_up():
            self._end(HALT, "MW-12.5")
            return
        self._pass_hook()
        self._reveal()

    def _crane_top(self) -> tuple[int, ...]:
        shapes = self.cards.shapes
        foot, _ = geometry.crane_pose(shapes, CRANE_PLACES[self.crane_place])
        best = max(box[5] + box[2] / 2 for box in shapes.crane)
        return (round((foot[2] + best) * LENGTH),)

    def _used_up(self) -> bool:
        """MW-12.5, MW-A.30."""
        no_girder = self.supply(GIRDER) == 0
        no_worker = self.supply(WORKER) == 0
        if self.options["halt_on"] == "girders":
            return no_girder or no_worker
        colour_out = any(self.girder_supply(colour) == 0 for colour in range(4))
        return colour_out or no_worker or any(self.supply(kind) == 0 for kind in (SUPPORT, BEAM, BRICK))

    def _end(self, cause: str, clause: str) -> None:
        self.cause = cause
        self.phase = GAME_OVER
        self.held = []
        winners = list(self.standing().winners())
        self.report("game_ended", clause, {"cause": cause, "winners": winners})

    def _merits(self, seat: int) -> tuple[int, int, int, int]:
        out = self.certificates[seat] == 0
        counted = not out or self.on("halt_includes_out")
        total = self.certificates[seat] + self.awards[seat]
        won = 0
        if self.cause == AWARDS:
            won = int(seat == self.hook)
        elif self.cause == CERTIFICATES:
            won = int(not out)
        return (won, int(counted), total, self.awards[seat])

    def standing(self) -> Standing:
        """MW-12.1 to MW-12.8; those who have not won go by MW-12.6 too."""
        if self.phase != GAME_OVER:
            raise ValueError("the game is still under way")
        merits = [self._merits(seat) for seat in range(self.players)]
        order = sorted(range(self.players), key=lambda seat: ([-v for v in merits[seat]], seat))
        ranks = tuple(Rank(seat, 1 + sum(m > merits[seat] for m in merits), merits[seat]) for seat in order)
        return Standing(CRITERIA, ranks)

    def returns(self) -> list[float]:
        if self.phase != GAME_OVER:
            return [0.0] * self.players
        winners = self.standing().winners()
        return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(self.players)]

    # -- deciding ----------------------------------------------------------------------------------------------------

    def deciders(self) -> tuple[int, ...]:
        return () if self.phase == GAME_OVER else (self.hook,)

    def over(self) -> bool:
        return self.phase == GAME_OVER

    def legal(self, seat: int) -> tuple[int, ...]:
        if self.phase == GAME_OVER or seat != self.hook:
            return ()
        return tuple([action for action in self._candidates() if refusals.refusal(self, seat, action) is None])

    def _candidates(self) -> Iterable[int]:
        """Actions that may be possible now, ascending: few enough to ask about each."""
        hand = sorted(self.hands[self.hook])
        cards = [*(PLAY_ON_DECK + card for card in hand), *(PLAY_ON_DISCARD + card for card in hand)]
        if self.phase == SITE_DESIGN:
            return range(STAND_CRANE)
        if self.phase == CRANE_STANDING:
            return range(STAND_CRANE, CHOOSE_GIRDER)
        if self.phase == CHOOSE:
            return [*range(CHOOSE_GIRDER, PLAY_ON_DECK), *cards, GO_ON]
        if self.phase == BUILD:
            grips = [] if self.held else [GRIP + p for p in sorted(p for _, unit in self.units for p in unit)]
            return [*(cards if not self.gripped else ()), *grips, RELEASE, NEXT_PIECE, FINISH, GIVE_UP]
        retrieve, supports = duties(self)
        pushes = [PUSH_BACK + p - FIRST[GIRDER] for p in retrieve if KIND[p] == GIRDER]
        back = [RETURN_SUPPORT + p for p in supports]
        leave = [LEAVE_SUPPORT + p for p in supports]
        return [*(RETRIEVE + p for p in retrieve), *pushes, *back, *leave, CLEAN_DONE]

    def refusal(self, seat: int, action: int) -> Refusal | None:
        return refusals.refusal(self, seat, action)

    def wants_outcome(self, action: int) -> bool:
        """Does the world have a say in what comes of this action? A table with a site then hands its outcome in."""
        moves_pieces = RETRIEVE <= action < LEAVE_SUPPORT
        return action in (DESIGN_FREE, RELEASE) or moves_pieces

    def expected_pieces(self, action: int, accident: bool) -> list[int]:
        """The pieces that an outcome of this action must hold, ascending: those on the site after it."""
        there = [piece for piece in range(PIECES) if self.place[piece] != SUPPLY]
        gone: list[int] = []
        if action == RELEASE:
            gone = self.held if accident else []
        elif action in (FINISH, GIVE_UP, NEXT_PIECE):
            gone = self.held
        elif RETRIEVE <= action < PUSH_BACK:
            gone = self.taken_with(action - RETRIEVE)
        elif RETURN_SUPPORT <= action < LEAVE_SUPPORT:
            gone = [action - RETURN_SUPPORT]
        return [piece for piece in there if piece not in gone]

    def play(self, seat: int, action: int, outcome: Outcome | str | None = None) -> None:
        """Apply a decision. `outcome`: what the site measured when it had had its way, or what `Outcome.encode` wrote.

        Without an outcome the dice draw one where `wants_outcome` says so. Raises IllegalAction, also for an outcome
        that cannot be (BAD_OUTCOME, UNKNOWN_PIECE); then nothing changed.
        """
        refused = refusals.refusal(self, seat, action)
        if refused is not None:
            raise IllegalAction(refused)
        found = self._checked(action, outcome) if outcome is not None else None
        self.verdicts = {}  # copies may share the old ones
        if action <= DESIGN_FREE:
            self._design(action, found)
        elif action < CHOOSE_GIRDER:
            self._stand_crane(action - STAND_CRANE)
            self._first_turn()
        elif action < PLAY_ON_DECK:
            self._choose(action - (CHOOSE_GIRDER if action < CHOOSE_GLOVE else CHOOSE_GLOVE))
        elif action < GO_ON:
            on_deck = action < PLAY_ON_DISCARD
            self._play_card(action - (PLAY_ON_DECK if on_deck else PLAY_ON_DISCARD), on_deck)
        elif action == GO_ON:
            self.report("cannot_comply", "MW-16.6", {"seat": seat})
            self._flip_on()
        elif action < RELEASE:
            self._grip(action - GRIP)
        elif action <= GIVE_UP:
            self._build(action, found)
        else:
            self._tidy(action, found)

    def play_outcome(self, seat: int, action: int, outcome: str) -> None:
        self.play(seat, action, outcome)

    def _checked(self, action: int, outcome: Outcome | str) -> Outcome:
        found = read(outcome) if isinstance(outcome, str) else outcome
        if not isinstance(outcome, str):
            check(found)
        if action > DESIGN_FREE:
            if action < RELEASE:
                raise refuse("this decision moves no piece")
            there = list(found.pieces())
            struck = found.accident is not None
            # An accident may come while the piece is held, which then goes back, or after it was let go (MW-A.22).
            if there != self.expected_pieces(action, False) and not (
                struck and action == RELEASE and there == self.expected_pieces(action, True)
            ):
                raise refuse("it holds other pieces than the site")
        return found

    def _build(self, action: int, outcome: Outcome | None) -> None:
        if action == RELEASE:
            if outcome is None:
                self.revelations += 1
                outcome = chance.release(self)
            self._release(outcome)
            return
        if outcome is not None:
            self._note_fallen(outcome)
            if outcome.accident is not None:
                self._accident(outcome)
                return
            self.measure = settled_site(outcome)
        if action == NEXT_PIECE:
            self._next_piece()
        elif action == FINISH:
            self._finish()
        else:
            self._give_up()

    def _tidy(self, action: int, outcome: Outcome | None) -> None:
        if action == CLEAN_DONE:
            if outcome is None or self._clean(outcome):
                self._clean_done()
            return
        drawn = outcome is None
        if action >= RETURN_SUPPORT:
            back = action < LEAVE_SUPPORT
            support = action - (RETURN_SUPPORT if back else LEAVE_SUPPORT)
            if drawn and back:
                outcome = chance.cleared(self, [support])
            self._decide_support(support, back, outcome)
        elif action >= PUSH_BACK:
            girder = action - PUSH_BACK + FIRST[GIRDER]
            self._push_back(girder, chance.pushed(self, girder) if outcome is None else outcome)
        else:
            piece = action - RETRIEVE
            gone = self.taken_with(piece)
            self._retrieve(piece, chance.cleared(self, gone) if outcome is None else outcome)
        self.revelations += drawn

    # -- copies ------------------------------------------------------------------------------------------------------

    def clone(self) -> MenAtWork:
        return MenAtWork(self.players, self.cards, self.options, self.dice.clone(), self)

    def imagine(self, seat: int, dice: Dice) -> MenAtWork:
        """The site is open to all; the cards' hidden sides and the other Foreman cards are dealt anew."""
        other = MenAtWork(self.players, self.cards, self.options, dice, self)
        strange = [k for k, owner in enumerate(self.stack_owner) if self.stack[k] != RITA and owner != seat]
        pool = self.rest + [self.stack[k] for k in strange]
        for owner in range(self.players):
            if owner != seat:
                pool += self.hands[owner]
        for k in strange:  # their deck sides are known
            face = (self.whats[self.stack[k]], self.cards.colours[self.stack[k]])
            alike = [card for card in pool if (self.whats[card], self.cards.colours[card]) == face]
            card = alike[dice.below(len(alike))]
            pool.remove(card)
            other.stack[k] = card
        for owner in range(self.players):
            if owner != seat:
                other.hands[owner] = sorted(pool.pop(dice.below(len(pool))) for _ in self.hands[owner])
        other.rest = sorted(pool)
        if self.rita_above != NOT_IN_DECK and self.rita_high > self.rita_low:
            low, high = self.rita_low, min(self.rita_high, len(other.rest))
            other.rita_above = low + dice.below(max(1, high - low + 1))
        return other

    def __reduce__(self) -> tuple[object, tuple[str, Cards]]:
        return (decode, (self.encode(), self.cards))

    def __repr__(self) -> str:
        letters = "ABCDE"
        lines = [f"Men at Work, {self.players} players, turn {self.turn}", f"  {PHASE_NAMES[self.phase]}"]
        kind, first, second = self.what()
        if kind != BLANK:
            shown = f"{KINDS[kind]} {COLOURS[first]} or {COLOURS[second]}"
            lines[1] += f"; what {shown}; how {self.instruction() or '-'}; deck {self.deck_size()}"
        tops = dict(self.measure.tops)
        there = sorted((p for p in tops if self.place[p] != SUPPLY and KIND[p] != HAT), key=lambda p: (-tops[p], p))
        for piece in there:
            on = ", ".join(name(other) for other in self.reading().supporters(piece))
            dead = " (lost)" if self.place[piece] == DEAD else ""
            lines.append(f"  {tops[piece] / LENGTH:6.1f} mm  {NAMES[piece]}{dead}" + (f" on {on}" if on else ""))
        if self.held:
            lines.append(f"  in the hand: {', '.join(NAMES[piece] for piece in self.held)}")
        for seat in range(self.players):
            mark = "*" if seat == self.hook and self.phase != GAME_OVER else " " if self.in_game(seat) else "x"
            cards = (
                f"  cards {', '.join(self.cards.ids[card] for card in self.hands[seat])}" if self.hands[seat] else ""
            )
            lines.append(
                f"{mark} {letters[seat]}  certificates {self.certificates[seat]}  awards {self.awards[seat]}{cards}"
            )
        if self.phase == GAME_OVER:
            lines.append("  won by " + " and ".join(letters[seat] for seat in self.standing().winners()))
        return "\n".join(lines)


_DESIGN_CLAUSES: Final = {
    "bad_setup_pieces": "MW-3.3",
    "not_settled": "MW-A.3",
    "touches_surface": "MW-3.6",
    "support_place_illegal": "MW-A.3",
    "feet_not_on_girder": "MW-3.7",
}
_ACCIDENT_CLAUSES: Final = {
    "surface": "MW-9.1",
    "worker": "MW-9.2",
    "platform": "MW-14.3",
    "floor": "MW-15.6",
    "support": "MW-15.7",
    "crane": "MW-A.52",
}


def start(players: int, dice: Dice, options: Mapping[str, str], edition: Cards, report: bool = False) -> MenAtWork:
    """A new game: the cards are ready, and the youngest player is asked for the starting site.

    `options` are resolved (every option has a value). With `report` events are reported from the first card on.
    """
    _check_experts(options["expert"], players)
    state = MenAtWork(players, edition, dict(options), dice)
    if report:
        state.listen()
    state.prepare()
    return state


def _check_experts(value: str, players: int) -> None:
    """MW-A.1: nobody, everybody, or seats of the game. Raises BadSetup (BAD_OPTION)."""
    seats = [str(seat) for seat in range(players)]
    chosen = value.split(JOIN)
    if value not in ("none", "all") and not (set(chosen) <= set(seats) and len(set(chosen)) == len(chosen)):
        facts: dict[str, object] = {"option": "expert", "value": value[:80], "allowed": ["none", *seats, "all"]}
        raise BadSetup(Refusal("BAD_OPTION", "MW-A.1", facts))


def decode(text: str, edition: Cards) -> MenAtWork:
    """The state that `encode` wrote, with the edition it was played with. Raises ValueError for any other text."""
    try:
        value: Any = json.loads(text)
        state = MenAtWork(value["players"], edition, dict(value["options"]), FastDice(0))
        state.restore(value)
    except (KeyError, TypeError, IndexError, AssertionError, IllegalAction) as error:
        raise ValueError(f"this is no state of Men at Work ({error})") from None
    return state
