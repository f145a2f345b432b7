"""The last chat messages of a table, as the store keeps them."""

from __future__ import annotations

import msgspec

from protocol.messages import Chat
from server.store import keys
from server.store.store import Store

CHAT_KEPT = 50  # messages of a table
CHAT_S = 24 * 3600  # for so long after the last one

decode = msgspec.msgpack.Decoder(Chat).decode
encode = msgspec.msgpack.Encoder().encode


def keep(store: Store, table: str, *payloads: bytes) -> None:
    """Append encoded messages to those of a table."""
    key, what = keys.table_chat(table), "keeping a chat message"
    store.send_logged(what, "RPUSH", key, *payloads)
    store.send_logged(what, "LTRIM", key, -CHAT_KEPT, -1)
    store.send_logged(what, "EXPIRE", key, CHAT_S)


async def last_messages(store: Store, table: str) -> list[Chat]:
    """The messages of a table that are kept, the newest last."""
    return [decode(payload) for payload in await store.call("LRANGE", keys.table_chat(table), 0, -1)]


async def carry_over(store: Store, old: str, new: str) -> None:
    """Give a new table the messages of the one that it continues."""
    messages = await last_messages(store, old)
    if messages:
        keep(store, new, *(encode(msgspec.structs.replace(chat, table=new)) for chat in messages))
