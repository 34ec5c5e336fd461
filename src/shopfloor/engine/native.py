"""What the sources say to the compiler, and to nobody else: interpreted, it does nothing.

i64: a machine's integer, in annotations; interpreted, any int. mypyc_attr: what may be done with a class. Both are
mypy's own names (mypy_extensions), which nobody needs who only plays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64, mypyc_attr
else:
    i64 = int

    def mypyc_attr(**_attributes):
        return lambda kind: kind


__all__ = ["i64", "mypyc_attr"]
