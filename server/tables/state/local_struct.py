"""The base of values that never leave a node: they are written neither to a log nor to a connection.

Nothing needs their types at run time, so the compiled build turns them into native classes (tools/compile.py).
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace as replace


class LocalStruct(msgspec.Struct, frozen=True, gc=False):
    """A frozen value of this node."""
