"""The page's player of finished games (web-client/replay_player.js), run in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import msgspec

from server.tables.finished.playback import play_back
from server.tables.finished.playbacks import Playback
from server.tables.finished.replay import read_entries
from tests.random_games import rows_of, written

CLIENT = Path(__file__).resolve().parents[1] / "web-client"
NEXT_DECISIONS = """
import { readFileSync } from "node:fs";
import MessagePack from "@msgpack/msgpack";
globalThis.MessagePack = MessagePack;
globalThis.localStorage = { getItem: () => null, setItem() {} };
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
globalThis.document = { documentElement: { dataset: {}, lang: "en" }, addEventListener() {} };
const { Player } = await import("./replay_player.js");
const player = new Player(MessagePack.decode(readFileSync(0)));
console.log(JSON.stringify(player.stops.map((_, stop) => [player.entry(stop).n, player.nextDecision(stop)])));
"""


def test_the_next_decision_is_not_an_aside() -> None:
    rows = rows_of("do_my_bidding")
    asides = {row["n"] for row in rows if row.get("aside")}
    decisions = [row["n"] for row in rows if row["type"] == "moved" and not row.get("aside")]
    assert asides
    entries = list(play_back("k7w2mzq4hd", read_entries(written("do_my_bidding")), (None, 0, 1, 2)))
    assert {entry.n for entry in entries if entry.aside} == asides
    node = shutil.which("node")
    assert node, "the tests need Node"
    given = msgspec.msgpack.encode(Playback(1, "k7w2mzq4hd", (None, 0, 1, 2), 1, entries))
    run = [node, "--input-type=module", "-e", NEXT_DECISIONS]
    done = subprocess.run(run, input=given, capture_output=True, check=True, cwd=CLIENT)
    found = json.loads(done.stdout)
    assert [n for n, _ in found if n in asides]
    for n, following in found:
        assert following == next((one for one in decisions if one > n), None), n
