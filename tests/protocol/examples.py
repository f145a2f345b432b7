"""One example or more of every message, in both directions: what docs/protocol.md shows and the vectors hold."""

from __future__ import annotations

import msgspec

from protocol.messages import (
    Ask,
    Back,
    Bot,
    Bots,
    Bye,
    Chat,
    Close,
    Create,
    Decline,
    Error,
    GameInfo,
    Hello,
    Invite,
    Invited,
    Leave,
    Lobby,
    LobbyTable,
    Message,
    Move,
    Ok,
    OnlineBot,
    Open,
    OwnBot,
    Ping,
    Plays,
    Practice,
    Record,
    Rematch,
    Rename,
    Result,
    Revoke,
    Say,
    Seated,
    SeatInfo,
    Sit,
    Start,
    Table,
    Tables,
    Token,
    Tokens,
    Update,
    User,
    Welcome,
)

TABLE = "k7w2mzq4hd"
SEED = bytes(range(32))
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"  # SHA-256 of that seed
NOW = 1_767_225_600_000
BOT = "b5f4e3d2c1b0"


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.msgpack.encode(value))


CLIENT: dict[str, Message] = {
    "hello-guest": Hello(id=1, v=1, name="Ada"),
    "hello-nameless": Hello(id=1, v=1),
    "hello-token": Hello(id=1, v=1, token="q0Zb0c3wJm6jXv1u2yT9rK8sL5pN4hG7fD_aE-xCzVs", patches=True),
    "hello-bot": Hello(
        id=1, v=1, token="q0Zb0c3wJm6jXv1u2yT9rK8sL5pN4hG7fD_aE-xCzVs", plays=Plays(games=["cheesedog"])
    ),
    "ping": Ping(id=2),
    "ping-highest-id": Ping(id=2**53 - 1),
    "rename": Rename(id=3, name="Zoë 🧀"),
    "lobby-on": Lobby(id=4, on=True),
    "lobby-off": Lobby(id=5, on=False),
    "create": Create(id=6, game="cheesedog", seats=4),
    "create-with-bots": Create(
        id=7,
        game="diced_cheese",
        seats=3,
        options={"variant": "classic", "mishaps": False},
        speed="blitz",
        public=False,
        seat=1,
        bots="master",
    ),
    "create-to-watch": Create(id=8, game="cheesedog", seats=2, seat=None, bots="rookie"),
    "open": Open(id=9, table=TABLE),
    "open-code": Open(id=10, code="m3k9pw"),
    "open-resume": Open(id=11, table=TABLE, last=17),
    "close": Close(id=12, table=TABLE),
    "sit": Sit(id=13, table=TABLE),
    "sit-seat": Sit(id=14, table=TABLE, seat=2),
    "leave": Leave(id=15, table=TABLE),
    "back": Back(id=16, table=TABLE),
    "bot": Bot(id=17, table=TABLE, seat=3, level="master"),
    "bot-away": Bot(id=18, table=TABLE, seat=3, level=None),
    "start": Start(id=19, table=TABLE),
    "move": Move(id=20, table=TABLE, ask=18, key="c41d-18", move=_raw({"type": "play", "rank": 7, "count": 2})),
    "move-with-note": Move(
        id=21, table=TABLE, ask=21, key="c41d-21", move=_raw({"type": "pick_up"}), note="no seven left"
    ),
    "say": Say(id=22, table=TABLE, text="well played"),
    "rematch": Rematch(id=23, table=TABLE),
    "token": Token(id=24, name="Gnawbot"),
    "token-scoped": Token(id=25, name="Gnawbot", scopes=("play",)),
    "tokens": Tokens(id=26),
    "revoke": Revoke(id=27, bot=BOT),
    "bots": Bots(id=28),
    "bots-of-a-game": Bots(id=29, game="cheesedog"),
    "invite": Invite(id=30, table=TABLE, seat=2, bot=BOT),
    "decline": Decline(id=31, table=TABLE),
    "practice": Practice(id=32, game="cheesedog", seats=3),
}

_ADA = SeatInfo(kind="person", user="u0a1b2c3d4e5f", name="Ada", here=True)
_BOT = SeatInfo(kind="bot", user="house-brie", name="Brie", level="rookie", here=True)
_FREE = SeatInfo(kind="free")
_PLAY = {"move": "play", "fill": {"rank": 7, "count": {"least": 1, "most": 2}}}
_GIVE = {"move": "give", "fill": {"to": {"of": [1, 2]}, "cards": {"of": [3, 3, 9], "least": 1, "most": 2}}}
_VIEW = {"type": "view", "hand": [7, 7, 12], "pile": [3], "counts": [3, 4], "turn": 0}

SERVER: dict[str, Message] = {
    "ok-token": Ok(id=24, token="q0Zb0c3wJm6jXv1u2yT9rK8sL5pN4hG7fD_aE-xCzVs", user=BOT),
    "ok-tokens": Ok(id=26, own=(OwnBot(user=BOT, name="Gnawbot", scopes=("play",), made=NOW - 60_000, used=NOW),)),
    "ok-bots": Ok(
        id=28,
        bots=(
            OnlineBot(
                user=BOT,
                name="Gnawbot",
                owner="Ada",
                games=("cheesedog",),
                free=4,
                records={"cheesedog": Record(played=12, first=5)},
            ),
        ),
    ),
    "error-illegal": Error(
        id=20,
        code="illegal_move",
        message="you have a card that may be played, so you may not pick up",
        field="move",
        rule="DOG-5",
        sent="{'type': 'pick_up'}",
        left_ms=31_250,
    ),
    "invited": Invited(table=TABLE, seat=2, game="cheesedog", by="Ada"),
    "welcome": Welcome(
        id=1,
        v=1,
        user=User(id="u0a1b2c3d4e5f", name="Ada"),
        games=(
            GameInfo(
                name="diced_cheese",
                title="Diced Cheese",
                blurb="Roll, keep, slice.",
                seats=(2, 6),
                options={"mishaps": (True, False)},
            ),
        ),
        speeds={"normal": 45_000, "untimed": None},
        limits={"frame_bytes": 16_384},
        tables=(TABLE,),
        now=NOW,
        token="q0Zb0c3wJm6jXv1u2yT9rK8sL5pN4hG7fD_aE-xCzVs",
    ),
    "ok": Ok(id=2),
    "ok-created": Ok(id=6, table=TABLE, code="m3k9pw", n=2),
    "ok-move": Ok(id=20, n=19),
    "ok-move-again": Ok(id=20, n=19, again=True),
    "error-unreadable": Error(id=None, code="malformed", message="a message is one map whose keys are text"),
    "error-field": Error(id=4, code="missing_field", message="Object missing required field `on`", field="on"),
    "error-stale": Error(
        id=20, code="stale_ask", message="this answers ask 18, and ask 21 is current", field="ask", ask=21
    ),
    "error-later": Error(id=22, code="rate_limited", message="too many requests: wait 150 ms", retry_after_ms=150),
    "table-open": Table(
        table=TABLE,
        code="m3k9pw",
        game="cheesedog",
        options={},
        speed="normal",
        public=True,
        status="open",
        host="u0a1b2c3d4e5f",
        seats=(_ADA, _FREE),
        commitment=COMMITMENT,
        you=0,
    ),
    "table-relayed": Table(
        table=TABLE,
        code="m3k9pw",
        game="cheesedog",
        options={},
        speed="blitz",
        public=True,
        status="running",
        host="u0a1b2c3d4e5f",
        seats=(msgspec.structs.replace(_ADA, here=False, stand_in="Comte"), _BOT),
        commitment=COMMITMENT,
        watchers=2,
    ),
    "table-ended": Table(
        table=TABLE,
        code="m3k9pw",
        game="cheesedog",
        options={},
        speed="normal",
        public=True,
        status="ended",
        host="u0a1b2c3d4e5f",
        seats=(_ADA, _BOT),
        commitment=COMMITMENT,
        you=0,
        result=Result(places=(1, 2), rule="DOG-17"),
        seed=SEED.hex(),
    ),
    "update-whole": Update(
        table=TABLE,
        n=18,
        by="house",
        view=_VIEW,
        ask=Ask(n=18, offers=(_PLAY, {"move": "pick_up", "fill": {}}), left_ms=44_180),
        acting=((0, 44_180),),
    ),
    "update-entry": Update(
        table=TABLE,
        n=19,
        seat=0,
        at=NOW,
        events=({"type": "played", "seat": 0, "rank": 7, "count": 2},),
        view={**_VIEW, "hand": [12], "pile": [3, 7, 7], "counts": [1, 4], "turn": 1},
        acting=((1, 20_000),),
    ),
    "update-patch": Update(
        table=TABLE,
        n=19,
        seat=0,
        events=({"type": "played", "seat": 0, "rank": 7, "count": 2},),
        patch={"set": {"hand": [12], "counts": [1, 4], "turn": 1}, "add": {"pile": [7, 7]}},
        acting=((1, 20_000),),
    ),
    "update-asides": Update(
        table=TABLE,
        n=20,
        seat=1,
        by="clock",
        at=NOW,
        view=_VIEW,
        ask=Ask(n=20, offers=(_GIVE,)),
        asides=Ask(n=12, offers=({"move": "suggest", "fill": {"amount": {"least": 0, "most": 30}}},)),
        acting=((0, None), (1, None)),
    ),
    "update-past": Update(table=TABLE, n=17, seat=1, by="stand_in", at=NOW),
    "tables-whole": Tables(
        tables=(LobbyTable(table=TABLE, game="cheesedog", speed="normal", status="open", seats=(_ADA, _FREE)),),
        whole=True,
    ),
    "tables-change": Tables(gone=(TABLE,)),
    "chat-seat": Chat(table=TABLE, name="Ada", text="well played", at=NOW, seat=0),
    "chat-watcher": Chat(table=TABLE, name="Zoë 🧀", text="what a game", at=NOW),
    "seated": Seated(table=TABLE, seat=3, game="cheesedog"),
    "bye": Bye(reason="restarting", retry_ms=100),
}
