"""The site on the wire: frames of poses in 13 bytes a piece, targets for a hand, and a film of a turn.

A frame is 25 bytes of header, the bodies that the held piece touches, and the pieces that are awake or were moved.
Positions are sixteen-bit numbers of 0.02 mm, rotations the three smallest parts of a quaternion with 15 bits each:
with ten bits the end of a girder would jump by 0.1 mm. Everything is little-endian.
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from shopfloor.games.men_at_work.geometry import Pose, Vector

FRAME: Final = 1
HEADER: Final = struct.Struct("<BIIBBHhhhhhBB")
PLACE: Final = struct.Struct("<Bhhh")
PIECE: Final = PLACE.size + 6
FINENESS: Final = 50  # steps a millimetre
RAISED: Final = 400.0  # mm: heights are counted from here
NOTHING: Final = 255
FAR: Final = 65535

HOLDS: Final = 1
STRUCK: Final = 2
QUIET: Final = 4
BORNE: Final = 8
FADING: Final = 16
CARRIED: Final = 32
LOWERING: Final = 64

TARGET: Final = struct.Struct("<BI7fB")
AIM: Final = 1
GRIP: Final = 2
RELEASE: Final = 3
CANCEL: Final = 4


@dataclass(frozen=True)
class Look:
    """What a frame says besides poses. gap: mm, None if there is nothing below. land: where it would touch first."""

    tick: int = 0
    ack: int = 0
    flags: int = 0
    held: int = NOTHING
    gap: float | None = None
    want: Vector = (0.0, 0.0, RAISED)
    land: tuple[float, float] = (0.0, 0.0)
    touched: tuple[int, ...] = ()


@dataclass(frozen=True)
class Target:
    """Where a client wants the held piece. lower: let the server lower it, which then minds the height."""

    seq: int
    pose: Pose
    lower: bool


def _fine(value: float) -> int:
    return max(-32767, min(32767, round(value * FINENESS)))


def _coarse(value: int) -> float:
    return value / FINENESS


def pack_turn(q: tuple[float, float, float, float]) -> bytes:
    """A unit quaternion in six bytes: which part is largest, and the other three."""
    k = max(range(4), key=lambda j: abs(q[j]))
    sign = 1 if q[k] >= 0 else -1
    rest = [
        max(0, min(32767, round((q[j] * sign * math.sqrt(0.5) + 0.5) * 32767))) for j in range(4) if j != k
    ]  # each of the three is at most sqrt(0.5)
    return ((k << 45) | (rest[0] << 30) | (rest[1] << 15) | rest[2]).to_bytes(6, "little")


def unpack_turn(data: bytes) -> tuple[float, float, float, float]:
    bits = int.from_bytes(data, "little")
    k = bits >> 45
    rest = [(((bits >> shift) & 0x7FFF) / 32767 - 0.5) * math.sqrt(2) for shift in (30, 15, 0)]
    rest.insert(k, math.sqrt(max(0.0, 1 - sum(v * v for v in rest))))
    return (rest[0], rest[1], rest[2], rest[3])


def packed(piece: int, pose: Pose) -> bytes:
    """A pose as frames hold it; fixed bodies have their numbers below zero counted down from 256."""
    (x, y, z), turn = pose
    return PLACE.pack(piece & 255, _fine(x), _fine(y), _fine(z - RAISED)) + pack_turn(turn)


def frame(look: Look, poses: Mapping[int, Pose]) -> bytes:
    """A frame with these poses."""
    return frame_of(look, [packed(piece, pose) for piece, pose in poses.items()])


def frame_of(look: Look, rows: Sequence[bytes]) -> bytes:
    """A frame with poses that are packed already."""
    gap = FAR if look.gap is None else max(0, min(FAR - 1, round(look.gap * FINENESS)))
    x, y, z = look.want
    head = HEADER.pack(
        FRAME,
        look.tick & 0xFFFFFFFF,
        look.ack,
        look.flags,
        look.held & 255,
        gap,
        *(_fine(v) for v in (x, y, z - RAISED, *look.land)),
        len(look.touched),
        len(rows),
    )
    return b"".join((head, bytes(body & 255 for body in look.touched), *rows))


def read_frame(data: bytes) -> tuple[Look, dict[int, Pose]]:
    """What `frame` wrote. Raises ValueError."""
    try:
        kind, tick, ack, flags, held, gap, wx, wy, wz, lx, ly, touched, count = HEADER.unpack_from(data)
    except struct.error:
        raise ValueError("a frame begins with a header") from None
    at = HEADER.size + touched
    if kind != FRAME or len(data) != at + PIECE * count:
        raise ValueError("this is no frame")
    bodies = tuple(_signed(b) for b in data[HEADER.size : at])
    want = (_coarse(wx), _coarse(wy), _coarse(wz) + RAISED)
    free = None if gap == FAR else gap / FINENESS
    look = Look(tick, ack, flags, held, free, want, (_coarse(lx), _coarse(ly)), bodies)
    poses = {}
    for k in range(at, len(data), PIECE):
        piece, x, y, z = PLACE.unpack_from(data, k)
        turn = unpack_turn(data[k + PLACE.size : k + PIECE])
        poses[_signed(piece)] = ((_coarse(x), _coarse(y), _coarse(z) + RAISED), turn)
    return look, poses


def _signed(body: int) -> int:
    return body - 256 if body > 240 else body


def target(seq: int, pose: Pose, lower: bool = False) -> bytes:
    """A target as clients send it."""
    return TARGET.pack(AIM, seq, *pose[0], *pose[1], lower)


def read_target(data: bytes) -> Target:
    """What a client sent. Raises ValueError; whether a hand can be there is not looked at."""
    if len(data) != TARGET.size:
        raise ValueError(f"a target has {TARGET.size} bytes, not {len(data)}")
    _, seq, x, y, z, a, b, c, d, flags = TARGET.unpack(data)
    return Target(seq, ((x, y, z), (a, b, c, d)), bool(flags & 1))


# -- films --------------------------------------------------------------------------------------------------------

EVERY: Final = 3  # ticks
MOST: Final = 20 * 600  # frames: ten minutes


class Film:
    """How a piece was carried, at 20 frames a second, to be looked at again from any side."""

    def __init__(self, poses: Mapping[int, Pose], held: Iterable[int], seat: int) -> None:
        start = [[piece, *(round(v, 3) for v in p), *(round(v, 5) for v in q)] for piece, (p, q) in poses.items()]
        head = json.dumps({"pieces": start, "held": list(held), "seat": seat}, separators=(",", ":")).encode()
        self._parts = [struct.pack("<HI", 60 // EVERY, len(head)), head]
        self._last = {piece: packed(piece, pose) for piece, pose in poses.items()}
        self._frames = 0

    def add(self, look: Look, poses: Mapping[int, Pose]) -> None:
        """The next frame; only what has moved is kept."""
        if self._frames >= MOST:
            return
        rows = {piece: packed(piece, pose) for piece, pose in poses.items()}
        moved = {piece: row for piece, row in rows.items() if self._last.get(piece) != row}
        self._last.update(moved)
        data = frame_of(look, list(moved.values()))
        self._parts += [struct.pack("<H", len(data)), data]
        self._frames += 1

    def bytes(self) -> bytes:
        return zlib.compress(b"".join(self._parts), 6)


def developed(film: bytes) -> bytes:
    """A film as it is sent: u16 frames a second, u32 length and a JSON header, then frames with u16 lengths."""
    return zlib.decompress(film)


def read_film(film: bytes) -> tuple[dict[str, object], list[tuple[Look, dict[int, Pose]]]]:
    """The header and the frames of a film."""
    data = developed(film)
    _, size = struct.unpack_from("<HI", data)
    head = json.loads(data[6 : 6 + size])
    at, frames = 6 + size, []
    while at < len(data):
        (length,) = struct.unpack_from("<H", data, at)
        frames.append(read_frame(data[at + 2 : at + 2 + length]))
        at += 2 + length
    return head, frames
