"""What the sources say to the compiler, and to nobody else: interpreted, it does nothing.

i64: a machine's integer, in annotations; interpreted, any int. mypyc_attr: what may be done with a class. Both are
mypy's own names (mypy_extensions), which nobody needs who only plays. remade: what a frozen dataclass says of itself.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_extensions import i64, mypyc_attr
else:
    i64 = int

    def mypyc_attr(**_attributes):
        return lambda kind: kind


__all__ = ["i64", "mypyc_attr", "remade"]


def remade(one: Any) -> tuple[type, tuple[object, ...]]:
    """For `__reduce__`: a dataclass goes to another process as its fields, and is made of them there.

    Compiled, one that is frozen cannot be filled field by field, which is how `pickle` and `copy` go about it.
    """
    return (type(one), tuple([getattr(one, field.name) for field in fields(one) if field.init]))
