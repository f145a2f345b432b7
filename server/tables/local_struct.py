"""Values that never leave a node: they are written neither to the log nor to a connection.

So nothing has to know their types, and the compiled build makes classes of its own of them (server/compiled.py).
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace as replace


class Inner(msgspec.Struct, frozen=True, gc=False):
    """Such a value."""
