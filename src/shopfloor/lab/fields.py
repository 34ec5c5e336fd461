"""The vocabulary in which games declare their observations, and how each word is written as numbers in [0, 1].

A game's `observation.py` has one function, `declare(o, edition, players)`; `o` is a `Declaration`. Every word takes
a path in the View and a sentence about what it means. Words with a block (`record`, `around`, `keyed`, `slots`,
`each`) return a declaration for what lies in it. What is left out is said with its reason: `o.leave_out(path, why)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from shopfloor.engine.native import remade

Out = Any  # a memoryview of 32-bit floats
Get = Any  # takes a part of a view, gives a smaller one
Row = tuple[str, str, str, str, str]


@dataclass(frozen=True)
class Field:
    """Numbers `start` to `stop` - 1 of an observation. name: a path in the View; seats are counted from the viewer."""

    name: str
    start: int
    stop: int
    meaning: str
    values: str

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)


@dataclass(frozen=True)
class Ring:
    """Those who sit around the table: seats, or pieces of which each seat owns `mate` in a row."""

    name: str
    size: int
    mate: int = 1

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return remade(self)


def _whole(value: Any) -> Any:
    return value


def _getter(path: str) -> Get:
    return attrgetter(path) if path else _whole


class Filler:
    """Writes one part of a view. size: how many numbers it takes."""

    size: int = 0
    path: str = ""

    def fill(self, value: Any, out: Out, at: int, seat: int) -> None:
        """Write what is in `value`, at `out[at]` and after; all of `out` is zero before."""
        raise NotImplementedError

    def fields(self, name: str, at: int) -> Iterator[Field]:
        """The fields of this part, which is called `name` and begins at `at`."""
        raise NotImplementedError

    def table(self, name: str, at: int, times: str = "") -> Iterator[Row]:
        """The lines about this part in a table: name, how many, where, meaning, values."""
        raise NotImplementedError


class _Leaf(Filler):
    """One field. `optional` ones begin with a number that says whether there is anything."""

    def __init__(self, path: str, size: int, meaning: str, values: str, optional: bool = False) -> None:
        self.path = path
        self.get = _getter(path)
        self.optional = optional
        self.size = size + optional
        self.meaning = meaning
        self.values = f"first: 1 if there is one; then {values}" if optional else values

    def fill(self, value: Any, out: Out, at: int, seat: int) -> None:
        found = self.get(value)
        if self.optional:
            if found is None:
                return
            out[at] = 1.0
            at += 1
        self.write(found, out, at, seat)

    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        raise NotImplementedError

    def fields(self, name: str, at: int) -> Iterator[Field]:
        yield Field(name, at, at + self.size, self.meaning, self.values)

    def table(self, name: str, at: int, times: str = "") -> Iterator[Row]:
        yield name, str(self.size), f"{at}{times}", self.meaning, self.values


def _scaled(value: int, low: int, high: int, strict: bool, name: str) -> float:
    if value < low or value > high:
        if strict:
            raise ValueError(f"'{name}' is {value}, declared as {low} to {high}")
        value = low if value < low else high
    return (value - low) / (high - low)


class _Flag(_Leaf):
    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        if value:
            out[at] = 1.0


class _Number(_Leaf):
    def __init__(self, path: str, low: int, high: int, meaning: str, optional: bool, strict: list[bool]) -> None:
        super().__init__(path, 1, meaning, f"{low} to {high}", optional)
        self.low, self.high, self.strict = low, high, strict

    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        if value != self.low:
            out[at] = _scaled(value, self.low, self.high, self.strict[0], self.path)


class _Numbers(_Leaf):
    """Numbers in a row, each with its own highest value; around a ring, if one is given, else in their order."""

    def __init__(
        self,
        path: str,
        low: int,
        high: Sequence[int],
        meaning: str,
        optional: bool,
        strict: list[bool],
        ring: Ring | None,
    ) -> None:
        tops = sorted(set(high))
        top = str(tops[0]) if len(tops) == 1 else f"{tops[0]} to {tops[-1]} by place"
        super().__init__(path, len(high), meaning, f"each {low} to {top}", optional)
        self.low, self.high, self.strict, self.ring = low, tuple(high), strict, ring

    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        high = self.high
        ring = self.ring
        if ring is None and len(value) > len(high):
            raise ValueError(f"'{self.path}' has {len(value)} numbers, declared are {len(high)}")
        for i in range(len(high)):
            k = i if ring is None else (i + seat * ring.mate) % ring.size
            if k < len(value) and value[k] != self.low:
                out[at + i] = _scaled(value[k], self.low, high[i], self.strict[0], self.path)


class _OneOf(_Leaf):
    """A 1 at the place of the value; nothing for None, or for a negative number where values are numbers."""

    def __init__(self, path: str, values: Sequence[Any], meaning: str) -> None:
        numbers = isinstance(values, range)
        shown = f"0 to {len(values) - 1}" if numbers else ", ".join(str(value) for value in values[:20])
        more = f" and {len(values) - 20} more" if not numbers and len(values) > 20 else ""
        super().__init__(path, len(values), meaning, f"a 1 at its place among {shown}{more}")
        self.places = {value: i for i, value in enumerate(values)}
        self.numbers = numbers

    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        if value is None or (self.numbers and value < 0):
            return
        place = self.places.get(value)
        if place is None:
            raise ValueError(f"'{self.path}' is {value!r}, which is not among those declared")
        out[at + place] = 1.0


class _Who(_Leaf):
    """Somebody of a ring, or several in a row, a block of `ring.size` for each."""

    def __init__(self, path: str, ring: Ring, most: int, meaning: str) -> None:
        block = f"a 1 at the {ring.name}, counted from the viewer"
        values = block if most == 0 else f"{most} × {ring.size}: for each in order {block}"
        super().__init__(path, ring.size * max(1, most), meaning, values)
        self.ring, self.most = ring, most

    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        ring = self.ring
        if self.most == 0:
            value = (value,)
        elif len(value) > self.most:
            raise ValueError(f"'{self.path}' names {len(value)}, declared are {self.most}")
        for i, who in enumerate(value):
            if who is not None and who >= 0:
                out[at + i * ring.size + (who - seat * ring.mate) % ring.size] = 1.0


class _Marks(_Leaf):
    """A 1 for each of a ring that is named."""

    def __init__(self, path: str, ring: Ring, meaning: str) -> None:
        super().__init__(path, ring.size, meaning, f"a 1 for each {ring.name} named, counted from the viewer")
        self.ring = ring

    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        for who in value:
            out[at + (who - seat * self.ring.mate) % self.ring.size] = 1.0


class _Tally(_Leaf):
    """How often each kind is there. The order of the list is lost."""

    def __init__(
        self,
        path: str,
        kinds: int,
        most: int,
        meaning: str,
        key: str,
        count: str,
        optional: bool,
        strict: list[bool],
    ) -> None:
        values = f"for each of {kinds} kinds 0 to {most}"
        if most == 1:
            values = f"a 1 for each of {kinds} kinds that is there"
        super().__init__(path, kinds, meaning, values, optional)
        self.key = _getter(key)
        self.count = _getter(count) if count else None
        self.kinds, self.most, self.strict = kinds, most, strict

    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        key, count, kinds = self.key, self.count, self.kinds
        if self.most == 1:
            for one in value:
                kind = key(one)
                if kind >= kinds or kind < 0 or (self.strict[0] and out[at + kind]):
                    raise ValueError(f"'{self.path}' has kind {kind} again, or more kinds than the {kinds} declared")
                out[at + kind] = 1.0
            return
        counts: dict[int, int] = {}
        for one in value:
            kind = key(one)
            counts[kind] = counts.get(kind, 0) + (1 if count is None else count(one))
        for kind, n in counts.items():
            if kind >= kinds or kind < 0:
                raise ValueError(f"'{self.path}' has kind {kind}, declared are {kinds}")
            out[at + kind] = _scaled(n, 0, self.most, self.strict[0], self.path)


class _Places(_Leaf):
    """For each kind its place in the list, the first one 1/n of n; 0 for those that are not in it."""

    def __init__(self, path: str, values: Sequence[Any], meaning: str, key: str, ring: Ring | None) -> None:
        of = f"{ring.name}, counted from the viewer" if ring else f"of {len(values)}"
        super().__init__(path, len(values), meaning, f"for each {of}: its place in the list / {len(values)}, or 0")
        self.key = _getter(key)
        self.at = {value: i for i, value in enumerate(values)}
        self.ring = ring

    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        ring = self.ring
        for i, one in enumerate(value):
            kind = self.at.get(self.key(one))
            if kind is None:
                raise ValueError(f"'{self.path}' has {self.key(one)!r}, which is not among those declared")
            if ring is not None:
                kind = (kind - seat * ring.mate) % ring.size
            out[at + kind] = (i + 1) / len(self.at)


class _SomeOf(_Leaf):
    """A 1 for each known value that is in the list. The order of the list is lost."""

    def __init__(self, path: str, values: Sequence[Any], meaning: str) -> None:
        numbers = isinstance(values, range)
        shown = f"{values[0]} to {values[-1]}" if numbers else ", ".join(str(value) for value in values)
        super().__init__(path, len(values), meaning, f"a 1 for each of {shown} that is there")
        self.places = {value: i for i, value in enumerate(values)}

    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        for one in value:
            place = self.places.get(one)
            if place is None:
                raise ValueError(f"'{self.path}' has {one!r}, which is not among those declared")
            out[at + place] = 1.0


class _Length(_Leaf):
    def __init__(self, path: str, most: int, meaning: str, strict: list[bool]) -> None:
        super().__init__(path, 1, meaning, f"how many there are, 0 to {most}")
        self.most, self.strict = most, strict

    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        if value:
            out[at] = _scaled(len(value), 0, self.most, self.strict[0], self.path)


class _Block(Filler):
    """Fields of a part of the view, one after the other; with `there`, a number before them says that it is there."""

    def __init__(self, path: str, parts: Sequence[Filler], there: str = "") -> None:
        self.path = path
        self.get = _getter(path)
        self.there = there
        self.parts: list[tuple[int, Filler]] = []
        self.size = 1 if there else 0
        for part in parts:
            self.parts.append((self.size, part))
            self.size += part.size

    def fill(self, value: Any, out: Out, at: int, seat: int) -> None:
        found = self.get(value)
        if found is not None:
            self.write(found, out, at, seat)

    def write(self, value: Any, out: Out, at: int, seat: int) -> None:
        if self.there:
            out[at] = 1.0
        for offset, part in self.parts:
            part.fill(value, out, at + offset, seat)

    def fields(self, name: str, at: int) -> Iterator[Field]:
        if self.there:
            yield Field(name, at, at + 1, self.there, THERE)
        for offset, part in self.parts:
            yield from part.fields(_join(name, part.path), at + offset)

    def table(self, name: str, at: int, times: str = "") -> Iterator[Row]:
        if self.there:
            yield name, "1", f"{at}{times}", self.there, THERE
        for offset, part in self.parts:
            yield from part.table(_join(name, part.path), at + offset, times)


THERE: Final = "1 if it is there"


def _join(name: str, path: str) -> str:
    return f"{name}.{path}" if name and path else name or path


class _Many(Filler):
    """A list of parts, each in a block of its own; `place` says in which."""

    def __init__(self, path: str, block: _Block, count: int, letter: str) -> None:
        self.path = path
        self.get = _getter(path)
        self.block = block
        self.count = count
        self.size = count * block.size
        self.letter = letter

    def place(self, i: int, part: Any, seat: int) -> int:
        """The block for the i-th part of the list, or more than there are if it has none."""
        return i

    def fill(self, value: Any, out: Out, at: int, seat: int) -> None:
        block = self.block
        for i, part in enumerate(self.get(value)):
            place = self.place(i, part, seat)
            if not 0 <= place < self.count:
                raise ValueError(f"'{self.path}' has a part for place {place}, declared are {self.count}")
            if part is not None:
                block.write(part, out, at + place * block.size, seat)

    def fields(self, name: str, at: int) -> Iterator[Field]:
        for i in range(self.count):
            yield from self.block.fields(f"{name}[{i}]", at + i * self.block.size)

    def table(self, name: str, at: int, times: str = "") -> Iterator[Row]:
        step = "" if self.block.size == 1 else f"{self.block.size}"
        letter = self.letter
        yield from self.block.table(f"{name}[{letter}]", at, f"{times} + {step}{letter}, {letter} < {self.count}")


class _Around(_Many):
    def __init__(self, path: str, block: _Block, ring: Ring, letter: str) -> None:
        super().__init__(path, block, ring.size, letter)
        self.ring = ring

    def place(self, i: int, part: Any, seat: int) -> int:
        return (i - seat * self.ring.mate) % self.ring.size


class _Keyed(_Many):
    def __init__(self, path: str, block: _Block, count: int, letter: str, key: str, first: int) -> None:
        super().__init__(path, block, count, letter)
        self.key = _getter(key)
        self.first = first

    def place(self, i: int, part: Any, seat: int) -> int:
        return int(self.key(part)) - self.first


class Declaration:
    """Collects the fields of a game, in their order. Paths are relative to the block that it is for."""

    def __init__(self, players: int, parent: Declaration | None = None, path: str = "") -> None:
        self.seats: Ring = Ring("seat", players) if parent is None else parent.seats
        self._strict: list[bool] = [False] if parent is None else parent._strict
        self._path = path
        self._depth: int = 0 if parent is None else parent._depth
        self._parts: list[Filler | tuple[Declaration, Any]] = []
        self._left: list[tuple[str, str]] = []
        self._whole: list[str] = []

    def ring(self, name: str, size: int) -> Ring:
        """Pieces around the table, e.g. coloured sets: `size` of them, as many for each seat, in their order."""
        return Ring(name, size, size // self.seats.size)

    # -- fields -----------------------------------------------------------------------------------------------

    def flag(self, path: str, meaning: str) -> None:
        """True or false. One number."""
        self._parts.append(_Flag(path, 1, meaning, "0 or 1"))

    def number(self, path: str, low: int, high: int, meaning: str, optional: bool = False) -> None:
        """A whole number. One number, (value - low) / (high - low); optional: another before it, 1 unless None."""
        self._parts.append(_Number(path, low, high, meaning, optional, self._strict))

    def numbers(self, path: str, high: Sequence[int], meaning: str, low: int = 0, optional: bool = False) -> None:
        """A list of whole numbers, each from `low` to its own entry in `high`, in order."""
        self._parts.append(_Numbers(path, low, high, meaning, optional, self._strict, None))

    def around_numbers(self, path: str, high: int, meaning: str, ring: Ring | None = None) -> None:
        """A list with one whole number for each seat (or other ring), counted from the viewer."""
        ring = ring or self.seats
        self._parts.append(_Numbers(path, 0, [high] * ring.size, meaning, False, self._strict, ring))

    def one_of(self, path: str, values: Sequence[Any], meaning: str) -> None:
        """One of known values: a 1 at its place among them. None, and negative numbers in a range, are all zeros."""
        self._parts.append(_OneOf(path, values, meaning))

    def who(self, path: str, meaning: str, ring: Ring | None = None) -> None:
        """A seat: a 1 at its place, counted from the viewer; all zeros for None or -1."""
        self._parts.append(_Who(path, ring or self.seats, 0, meaning))

    def row(self, path: str, most: int, meaning: str, ring: Ring | None = None) -> None:
        """A list of at most so many seats, in order; a seat may be in it again. A block as in `who` for each."""
        self._parts.append(_Who(path, ring or self.seats, most, meaning))

    def marks(self, path: str, meaning: str, ring: Ring | None = None) -> None:
        """A set of seats: a 1 for each, counted from the viewer."""
        self._parts.append(_Marks(path, ring or self.seats, meaning))

    def tally(
        self, path: str, kinds: int, most: int, meaning: str, key: str = "", count: str = "", optional: bool = False
    ) -> None:
        """Things by their kind: how many of each, / most. key: the path from a thing to the number of its kind.

        count: the path to how many it stands for. The order of the list, and what else the things say, is not written.
        """
        self._parts.append(_Tally(path, kinds, most, meaning, key, count, optional, self._strict))
        self._whole.append(path)

    def places(self, path: str, values: Sequence[Any], meaning: str, key: str = "") -> None:
        """A list in which each of `values` comes once at most: where it comes."""
        self._parts.append(_Places(path, values, meaning, key, None))
        self._whole.append(path)

    def some_of(self, path: str, values: Sequence[Any], meaning: str) -> None:
        """A list of known values: a 1 for each that is in it. Its order is not written."""
        self._parts.append(_SomeOf(path, values, meaning))
        self._whole.append(path)

    def order(self, path: str, meaning: str, ring: Ring | None = None) -> None:
        """A list of seats in which each comes once at most: where it comes, counted from the viewer."""
        ring = ring or self.seats
        self._parts.append(_Places(path, range(ring.size), meaning, "", ring))

    def length(self, path: str, most: int, meaning: str) -> None:
        """How many things are in a list; the rest of them is not written."""
        self._parts.append(_Length(path, most, meaning, self._strict))
        self._whole.append(path)

    def kind(self, path: str, key: str, kinds: int, meaning: str) -> None:
        """A thing or None: a 1 at the number of its kind, which `key` leads to; what else it says is not written."""
        self.record(path, meaning).one_of(key, range(kinds), f"{meaning}: its kind")
        self._whole.append(path)

    # -- blocks -----------------------------------------------------------------------------------------------

    def record(self, path: str, meaning: str) -> Declaration:
        """A part of the View that may be None: a number that says whether it is there, then its fields."""
        return self._block(path, lambda parts: _Block(path, parts, meaning))

    def around(self, path: str, ring: Ring | None = None) -> Declaration:
        """A list with one part for each seat (or other ring): a block for each, counted from the viewer."""
        ring = ring or self.seats
        letter = self._letter()
        return self._block(path, lambda parts: _Around(path, _Block("", parts), ring, letter), "[]")

    def keyed(self, path: str, count: int, key: str, meaning: str, first: int = 0) -> Declaration:
        """A list of parts with numbers, `first` and the `count` - 1 after it: a block for each number.

        The first number of a block says whether there is such a part. The order of the list is not written.
        """
        letter = self._letter()
        block = self._block(
            path, lambda parts: _Keyed(path, _Block("", parts, meaning), count, letter, key, first), "[]"
        )
        block._whole.append(key)
        return block

    def slots(self, path: str, most: int, meaning: str) -> Declaration:
        """A list of at most so many parts, in order; each may be None. A block for each, first whether it is there."""
        letter = self._letter()
        return self._block(path, lambda parts: _Many(path, _Block("", parts, meaning), most, letter), "[]")

    def each(self, path: str, count: int) -> Declaration:
        """A list of always so many parts: a block for each. In the block, the path "" is the part itself."""
        letter = self._letter()
        return self._block(path, lambda parts: _Many(path, _Block("", parts), count, letter), "[]")

    def leave_out(self, path: str, why: str) -> None:
        """Say why a part of the View is in no field."""
        self._left.append((path, why))

    # -- what comes of it -------------------------------------------------------------------------------------

    def _letter(self) -> str:
        return "ijkl"[self._depth]

    def _block(self, path: str, make: Any, mark: str = "") -> Declaration:
        inner = Declaration(self.seats.size, self, f"{path}{mark}")
        inner._depth = self._depth + bool(mark)
        self._parts.append((inner, make))
        return inner

    def _fillers(self) -> list[Filler]:
        made: list[Filler] = []
        for part in self._parts:
            if isinstance(part, Filler):
                made.append(part)
            else:
                inner, make = part
                made.append(make(inner._fillers()))
        return made

    def filler(self, strict: bool = False) -> Filler:
        """What writes all that was declared."""
        self._strict[0] = strict
        return _Block("", self._fillers())

    def covered(self) -> Iterator[str]:
        """The paths in the View that are written; `[]` stands behind lists of parts, `.*` for all that is below."""
        yield from (f"{path}.*" for path in self._whole)
        for part in self._parts:
            if isinstance(part, Filler):
                yield part.path
            else:
                inner, _ = part
                yield from (_join(inner._path, path) for path in inner.covered())

    def left_out(self) -> Iterator[tuple[str, str]]:
        """The paths that were left out, with reasons."""
        yield from self._left
        for part in self._parts:
            if not isinstance(part, Filler):
                inner, _ = part
                yield from ((_join(inner._path, path), why) for path, why in inner.left_out())
