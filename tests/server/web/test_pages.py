"""The pages that a node serves: the client's files and documents of a fixed list, and no other file."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import json
import os
import re
import shutil
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request

from games import GAMES
from server.web import client
from server.web.client import CLIENT, MAX_VERSIONS, Client
from server.web.files import ServedFile
from tests.server.conftest import Running, Start, free_limits

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"


async def ask_bytes(node: Running, path: str, **headers: str) -> tuple[bytes, HTTPMessage]:
    """The body and the headers of an answer."""
    _, body, got = await asyncio.to_thread(_ask, node, path, headers)
    return body, got


async def ask(node: Running, path: str, **headers: str) -> tuple[int, str, HTTPMessage]:
    """The status, the text and the headers of an answer; the path is sent as it is written."""
    status, body, got = await asyncio.to_thread(_ask, node, path, headers)
    return status, body.decode(), got


def _ask(
    node: Running, path: str, headers: dict[str, str], source: str = "127.0.0.1"
) -> tuple[int, bytes, HTTPMessage]:
    line = HTTPConnection(urlsplit(node.http).netloc, source_address=(source, 0))
    try:
        line.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = line.getresponse()
        return answer.status, answer.read(), answer.headers
    finally:
        line.close()


async def fetch(node: Running, path: str) -> tuple[int, str]:
    """The status and the text of an answer."""
    status, text, _ = await ask(node, path)
    return status, text


@pytest.mark.parametrize("name", ["bots", "other-languages", "protocol", "views", "arena", "replay", "rules/cheesedog"])
async def test_the_documents_for_bot_authors_are_served(node: Running, name: str) -> None:
    assert await fetch(node, f"/docs/{name}.md") == (200, (DOCS / f"{name}.md").read_text())
    status, page = await fetch(node, f"/docs/{name}")
    assert (status, page.startswith("<!doctype html>")) == (200, True)


@pytest.mark.parametrize("name", ["client", "server", "bad"])
async def test_the_test_vectors_are_served(node: Running, name: str) -> None:
    vectors = (ROOT / "protocol" / "vectors" / f"{name}.json").read_text()
    assert await fetch(node, f"/docs/vectors/{name}.json") == (200, vectors)


async def test_the_address_of_the_documents_leads_to_the_first_one(node: Running) -> None:
    status, _, headers = await ask(node, "/docs")
    assert (status, headers["location"]) == (307, "/docs/bots")


OTHERS = (
    "vectors/..%2fmessages.json",
    "vectors/other.json",
    "operations.md",
    "operations",
    "../README.md",
    "..%2fREADME.md",
    "rules/..%2fbots.md",
    "rules/%2e%2e/%2e%2e/README.md",
    "/etc/passwd",
    ".md",
    "rules/.md",
    "bots%00.md",
)


@pytest.mark.parametrize("path", OTHERS)
async def test_no_other_file_is_served_as_a_document(node: Running, path: str) -> None:
    status, _ = await fetch(node, f"/docs/{path}")
    assert status == 404


async def version(node: Running) -> str:
    """The folder of the files that the page uses."""
    _, page = await fetch(node, "/")
    [folder] = set(re.findall(r'"/(static/[0-9a-f]{16}/)', page))
    return str(folder)


async def test_every_file_that_the_page_uses_is_served_and_may_be_kept_for_ever(node: Running) -> None:
    folder = await version(node)
    _, page = await fetch(node, "/")
    games = {f"{folder}games/{game}.{kind}" for game in GAMES for kind in ("js", "css")}
    files = set(re.findall(r'"/(static/[^"]+)"', page)) | games
    assert {f"{folder}app.js", f"{folder}style.css", f"{folder}icon.svg"} <= files
    for name in files:
        body, headers = await ask_bytes(node, f"/{name}")
        assert body, name
        kinds = {"css": "text/css", "svg": "image/svg+xml", "js": "text/javascript", "png": "image/png"}
        assert headers["Content-Type"].startswith(kinds[name.rpartition(".")[2]])
        assert "immutable" in headers["Cache-Control"]


async def test_the_service_worker_keeps_every_file_of_one_version(node: Running) -> None:
    folder = await version(node)
    status, text, headers = await ask(node, "/sw.js")
    assert (status, headers["Cache-Control"]) == (200, "no-cache")
    found = re.search(r"= (\{.*\});", text)
    assert found
    cached = json.loads(found[1])
    needed = {"app.js", "style.css", "index.html", "games/cheesedog.js", "games/cheesedog.css", "replay.js"}
    assert {f"/{folder}{name}" for name in needed} < set(cached["files"])
    assert set(cached["documents"]) == {f"/docs/rules/{game}.md" for game in GAMES}
    for path in (*cached["files"], *cached["documents"]):
        assert (await asyncio.to_thread(_ask, node, path, {}))[0] == 200, path
    page, kept = await ask(node, "/"), await ask(node, f"/{folder}index.html")
    assert page[1] == kept[1]
    assert page[2]["Content-Security-Policy"] == kept[2]["Content-Security-Policy"]


async def test_the_icons_of_the_manifest_are_served(node: Running) -> None:
    status, text, headers = await ask(node, "/manifest.webmanifest")
    assert (status, headers["Content-Type"]) == (200, "application/manifest+json")
    manifest = json.loads(text)
    for icon in manifest["icons"]:
        body, headers = await ask_bytes(node, icon["src"])
        assert headers["Content-Type"] == icon["type"]
        if icon["type"] == "image/png":
            size = "x".join(str(int.from_bytes(body[at : at + 4], "big")) for at in (16, 20))
            assert (icon["sizes"], "maskable" in icon["purpose"]) == (size, True)


async def test_a_file_of_another_version_is_not_served(node: Running) -> None:
    for path in ("/static/0123456789abcdef/app.js", "/static/app.js", "/app.js", "/static//app.js"):
        status, _, headers = await ask(node, path)
        assert (status, "immutable" in headers.get("Cache-Control", "")) == (404, False)


async def test_files_are_compressed_for_those_who_accept_it(node: Running) -> None:
    app = f"/{await version(node)}app.js"
    _, plain, headers = await ask(node, app)
    assert (headers["Content-Encoding"], headers["Vary"]) == (None, "Accept-Encoding")
    for accepted in ("gzip, deflate, br", "br;q=1.0, gzip;q=0.8", "GZIP"):
        packed, headers = await ask_bytes(node, app, Accept_Encoding=accepted)
        assert (headers["Content-Encoding"], gzip.decompress(packed).decode()) == ("gzip", plain)
        assert len(packed) < len(plain) / 2
    for refused in ("br", "gzip;q=0", "gzip; q=0.000, br"):
        assert (await ask(node, app, Accept_Encoding=refused))[1] == plain


PRIVATE = (
    ".npmrc",
    "package.json",
    "node_modules/axe-core/axe.min.js",
    "node_modules/preact/dist/preact.mjs",
    "games",
    "games/",
    "games/../package.json",
    "games/%2e%2e/package.json",
    "../server/app.py",
    "..%2fserver/app.py",
    "/etc/passwd",
    "app.js/",
    "app.js%00",
    "metrics",
)


@pytest.mark.parametrize("path", PRIVATE)
async def test_no_other_file_is_served(node: Running, path: str) -> None:
    folder = await version(node)
    assert (await fetch(node, f"/{path}"))[0] == 404
    assert (await fetch(node, f"/{folder}{path}"))[0] == 404


async def test_a_browser_that_has_a_file_gets_it_again_only_when_it_has_changed(node: Running) -> None:
    for path in ("/", "/docs/bots.md"):
        status, text, headers = await ask(node, path)
        assert (status, headers["Cache-Control"]) == (200, "no-cache")
        assert (await ask(node, path, If_None_Match=headers["ETag"]))[:2] == (304, "")
        assert (await ask(node, path, If_None_Match='"another"'))[:2] == (200, text)


async def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "one.md"
    request = Request({"type": "http", "headers": []})
    path.write_text("1")
    file = ServedFile(path)
    assert file.response(request).body == b"1"
    path.write_text("2")
    os.utime(path, (1, 1))
    assert file.response(request).body == b"2"


def test_a_changed_client_has_a_new_version_and_the_versions_before_stay_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(CLIENT, tmp_path / "web-client", ignore=shutil.ignore_patterns("node_modules"))
    (copy / "node_modules").symlink_to(CLIENT / "node_modules")
    monkeypatch.setattr(client, "CLIENT", copy)
    monkeypatch.setattr(client, "CHECK_S", 0)
    served, names = Client(), []
    for number in range(MAX_VERSIONS + 1):
        (copy / "icon.svg").write_text(f"<svg id='{number}'/>")
        os.utime(copy / "icon.svg", (number, number))
        names.append(served.current().name)
        assert names[-1] in served.current().page.body.decode()
        assert served.current("de").name not in names
    icons = [served.file(name, "icon.svg") for name in names]
    assert icons[0] is None
    assert [icon and icon.body.decode() for icon in icons[1:]] == [f"<svg id='{n}'/>" for n in range(1, len(names))]
    (copy / "net.js").write_text("export let broken = 1;")
    assert served.current().name == names[-1]


async def test_a_browser_gets_the_page_in_the_chosen_language_or_in_its_own(node: Running) -> None:
    async def language(**headers: str) -> str:
        _, page, got = await ask(node, "/", **headers)
        assert {"Accept-Language", "Cookie"} <= {name.strip() for name in got["Vary"].split(",")}
        found = re.search(r'<html lang="(\w+)">', page)
        assert found
        return found[1]

    assert await language() == "en"
    assert await language(Accept_Language="de-AT,de;q=0.9,en;q=0.8") == "de"
    assert await language(Accept_Language="fr, en;q=0.8, de;q=0.5") == "en"
    assert await language(Accept_Language="de", Cookie="a=b; language=en") == "en"
    assert await language(Accept_Language="de", Cookie="language=xx") == "de"


async def test_the_page_knows_the_games_before_it_is_connected(node: Running) -> None:
    _, page = await fetch(node, "/")
    found = re.search(r'<script type="application/json" id="catalogue">(.*?)</script>', page)
    assert found
    assert {game["name"] for game in json.loads(found[1])} == set(GAMES)


async def test_only_the_inline_script_of_the_page_is_allowed(node: Running) -> None:
    _, page, headers = await ask(node, "/")
    policy = headers["Content-Security-Policy"]
    [script] = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert "unsafe" not in policy


async def test_health_says_only_whether_the_node_is_ready(node: Running) -> None:
    assert await fetch(node, "/healthz") == (200, '{"ready":true}')
    node.node.connections.draining = True
    assert await fetch(node, "/healthz") == (503, '{"ready":false}')
    node.node.connections.draining = False
    await node.node.store.close()
    assert await fetch(node, "/healthz") == (503, '{"ready":false}')


@pytest.mark.parametrize("path", ["/", "/static/x/app.js", "/no-such-page", "/healthz", "/docs/bots.md"])
async def test_every_answer_has_the_security_headers(node: Running, path: str) -> None:
    _, _, headers = await ask(node, path)
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


async def test_an_unknown_address_is_a_page_of_ours_for_people_and_a_line_for_programs(node: Running) -> None:
    status, page, headers = await ask(node, "/nope/nope", Accept="text/html,*/*")
    assert (status, headers["Content-Type"].split(";")[0]) == (404, "text/html")
    assert '<div id="app">' in page
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    status, text, _ = await ask(node, "/nope/nope")
    assert (status, text) == (404, "There is no such page.\n")


async def test_an_invitation_code_is_an_address(node: Running) -> None:
    assert (await fetch(node, "/m3k9pwm3k9"))[0] == 200
    assert (await fetch(node, "/m3k9pw"))[0] == 404


async def test_the_link_of_a_table_says_who_invites_to_which_game_and_names_nobody_else(node: Running) -> None:
    host, friend = await node.join("Hilda <b>"), await node.join("Zdenka")
    table = (await host.request("create", game="cheesedog", seats=3, public=False))["table"]
    await friend.request("sit", table=table)
    _, page = await fetch(node, f"/t/{table}")
    title = "Hilda &lt;b&gt; invites you to Cheesedog"
    assert f"<title>{title}</title>" in page
    assert f'<meta property="og:title" content="{title}">' in page
    assert "about 10 to 20 minutes" in page
    assert "Zdenka" not in page
    assert re.search(r'<link rel="modulepreload" href="/static/[0-9a-f]+/games/cheesedog\.js">', page)
    assert re.search(r'<link rel="preload" as="style" href="/static/[0-9a-f]+/games/cheesedog\.css"></head>', page)
    await host.request("configure", table=table, locked=True)
    for path in (f"/t/{table}", "/t/nosuchtable", "/t/Not-A-Table"):
        status, page = await fetch(node, path)
        assert (status, "Hilda" in page) == (200, False)


async def test_one_address_gets_only_so_many_preview_cards(start: Start) -> None:
    node = await start(limits=free_limits(address_previews_per_minute=1))
    host = await node.join("Hilda")
    table = (await host.request("create", game="cheesedog", seats=3))["table"]
    shown = [(await asyncio.to_thread(_ask, node, f"/t/{table}", {}, "127.0.9.9"))[:2] for _ in range(2)]
    assert [(status, b"Hilda invites you" in page) for status, page in shown] == [(200, True), (200, False)]
