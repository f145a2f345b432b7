"""python-socketio on uvicorn (uvloop), websocket transport, AsyncRedisManager for fan-out.

The usual way to write this in Python: state in a dict, and one emit of the public view to the table's room per move.
The hidden hand is sent once, at join. Moves are not stored.
POOL=n sets redis-py's max_connections. With its default of 100, the manager drops and rebuilds the whole pool
whenever 100 publishes are in flight, and throughput collapses.
"""
import os
from urllib.parse import parse_qs

import socketio, uvicorn

mgr = socketio.AsyncRedisManager(f"redis://127.0.0.1:{os.environ['STORE_PORT']}/0",
                                 redis_options={"max_connections": int(os.environ["POOL"])} if "POOL" in os.environ else {})
sio = socketio.AsyncServer(async_mode="asgi", client_manager=mgr, transports=["websocket"])
tables, seats = {}, {}


@sio.event
async def join(sid, data):
    id, seat = data["table"], data.get("seat")
    t = tables.setdefault(id, {"n": 0, "turn": 0, "pile": [],
                               "hands": [[s * 1000 + i for i in range(10)] for s in range(4)]})
    seats[sid] = (id, seat)
    await sio.enter_room(sid, id)
    return {"n": t["n"], "turn": t["turn"], "pile": t["pile"], "hand": None if seat is None else t["hands"][seat]}


@sio.event
async def move(sid, data):
    id, seat = seats[sid]
    t = tables[id]
    if seat != t["turn"]:
        return
    t["pile"].append(data["card"])
    del t["pile"][:-20]
    t["n"] += 1
    t["turn"] = (seat + 1) % 4
    await sio.emit("update", {"n": t["n"], "turn": t["turn"], "pile": t["pile"]}, room=id)


@sio.event
async def disconnect(sid, reason=None):
    seats.pop(sid, None)


uvicorn.run(socketio.ASGIApp(sio), host="127.0.0.1", port=int(os.environ["PORT"]), loop="uvloop",
            log_level="warning", ws_per_message_deflate=False)
