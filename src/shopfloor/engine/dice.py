"""Chance. A game draws only from its state's dice, so that a game can be replayed, searched and checked.

Two kinds: `FastDice` for simulation and search, `SealedDice` for tables where people play. Nobody can work out
the next draw of sealed dice from the draws seen so far, and their commitment, shown at the start, proves at the
end that no draw was chosen afterwards.
"""

from __future__ import annotations

import hashlib
import secrets

from shopfloor.engine.native import i64, mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Dice:
    """A stream of random integers."""

    __slots__ = ()

    def below(self, n: int) -> int:
        """A random integer in [0, n). `n` is at least 1 and at most 2**31."""
        raise NotImplementedError

    def clone(self) -> Dice:
        """Dice that will give the same draws from here on."""
        raise NotImplementedError

    def encode(self) -> str:
        """Text from which `decode_dice` rebuilds these dice in this very condition."""
        raise NotImplementedError


def _mix(x: i64) -> i64:
    # An integer hash on 32 bits: neighbouring seeds must not give neighbouring games. Every product stays below
    # 2**62, so that compiled code never leaves machine integers.
    x = (x ^ (x >> 16)) * 0x2C1B3C6D & 0xFFFFFFFF
    x = (x ^ (x >> 12)) * 0x297A2D39 & 0xFFFFFFFF
    return x ^ (x >> 15)


class FastDice(Dice):
    """Small and quick: two multiplicative generators combined (P. L'Ecuyer, 1988; period about 2.3e18).

    Predictable to anyone who tries: for simulation, search and experiments, never for a table of people.
    """

    __slots__ = ("a", "b")

    def __init__(self, seed: int, source: FastDice | None = None) -> None:
        """`source`: dice whose condition to take over instead; `seed` is then ignored."""
        if source is not None:
            self.a: i64 = source.a
            self.b: i64 = source.b
            return
        low: i64 = seed & 0xFFFFFFFF
        high: i64 = (seed >> 32) & 0xFFFFFFFF
        self.a = 1 + (_mix(low) ^ _mix(high ^ 0x5BD1E995)) % 2147483562
        self.b = 1 + _mix(_mix(low ^ 0x68E31DA4) ^ high) % 2147483398

    def below(self, n: int) -> int:
        a = self.a * 40014 % 2147483563
        b = self.b * 40692 % 2147483399
        self.a = a
        self.b = b
        return (a - b) % 2147483562 % n

    def clone(self) -> FastDice:
        return FastDice(0, self)

    def encode(self) -> str:
        return f"fast:{self.a}:{self.b}"


class SealedDice(Dice):
    """Keyed by a secret 256-bit seed: BLAKE2b in counter mode, 64 bits a draw, without bias."""

    __slots__ = ("block", "drawn", "seed")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != 32:
            raise ValueError(f"a sealed seed has 32 bytes, this one has {len(seed)}")
        self.seed: bytes = seed
        self.drawn: int = 0
        self.block: bytes = b""

    def below(self, n: int) -> int:
        if n < 1:
            raise ValueError(f"cannot draw below {n}")
        # Values past the last full multiple of n are drawn again, or small results would come up more often.
        limit = 2**64 - 2**64 % n
        while True:
            at = self.drawn % 8
            if at == 0 or not self.block:
                counter = (self.drawn // 8).to_bytes(8, "big")
                self.block = hashlib.blake2b(counter, key=self.seed, person=b"shopfloor dice").digest()
            self.drawn += 1
            value = int.from_bytes(self.block[8 * at : 8 * at + 8], "big")
            if value < limit:
                return value % n

    def clone(self) -> SealedDice:
        dice = SealedDice(self.seed)
        dice.drawn = self.drawn
        dice.block = self.block
        return dice

    def encode(self) -> str:
        return f"sealed:{self.seed.hex()}:{self.drawn}"


Seed = int | str | bytes | None


def make_dice(seed: Seed) -> Dice:
    """Dice for a seed: an integer gives `FastDice`; 32 bytes (or 64 hex digits) give `SealedDice`; None a fresh secret.

    Raises ValueError for anything else.
    """
    if seed is None:
        return SealedDice(secrets.token_bytes(32))
    if isinstance(seed, int):
        if seed < 0:
            raise ValueError(f"a seed is not negative, this one is {seed}")
        return FastDice(seed)
    if isinstance(seed, bytes):
        return SealedDice(seed)
    try:
        return SealedDice(bytes.fromhex(seed))
    except ValueError:
        raise ValueError("a seed is a whole number, or 64 hexadecimal digits for sealed dice") from None


def decode_dice(text: str) -> Dice:
    """The dice that `Dice.encode` wrote. Raises ValueError if the text is not of that form."""
    kind, *rest = text.split(":")
    if kind == "fast" and len(rest) == 2:
        dice = FastDice(0)
        dice.a = int(rest[0])
        dice.b = int(rest[1])
        return dice
    if kind == "sealed" and len(rest) == 2:
        sealed = SealedDice(bytes.fromhex(rest[0]))
        sealed.drawn = int(rest[1])
        if sealed.drawn % 8:
            counter = (sealed.drawn // 8).to_bytes(8, "big")
            sealed.block = hashlib.blake2b(counter, key=sealed.seed, person=b"shopfloor dice").digest()
        return sealed
    raise ValueError("no dice are written like that")


def commitment(seed: bytes) -> str:
    """What is shown when a game starts: the SHA-256 of the seed (64 hex digits). It binds the seed and hides it."""
    return hashlib.sha256(seed).hexdigest()
