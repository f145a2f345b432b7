"""The packages for authors of bots: each installs by itself, plays a game, and passes the conformance kit."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bots.examples import DOCUMENT, example
from tests.bots.test_conform import JOBS, NOT_FOR_JOINERS, conform, named
from tests.client import Client
from tests.service import ROOT, Service
from tools import sdk

MODULES = ROOT / "web-client" / "node_modules"
JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")  # starts in half the time
needs_java = pytest.mark.skipif(shutil.which("javac") is None, reason="no javac: install a JDK 17 or later")
PLACES = ("{url}", "{token}", "{code}")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for packages."""
    out = tmp_path_factory.mktemp("sdk")
    (out / "templates").mkdir()
    return out


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("packages") / "data", NODES=1)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def python(packages: Path) -> list[str]:
    """The Python of an environment that has the wheel and what it depends on, and nothing of the project."""
    sdk.python(packages)
    folder = packages / "venv"
    venv.create(folder, with_pip=False)
    (wheel,) = packages.glob("*.whl")
    (site,) = folder.glob("lib/*/site-packages")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*install, str(wheel)], check=True)
    for name in ("msgpack", "msgspec", "websockets"):  # the index may be out of reach
        (site / name).symlink_to(Path(sys.modules[name].__file__ or "").parent)
    return [str(folder / "bin" / "python"), "-I"]


@pytest.fixture(scope="module")
def javascript(packages: Path) -> list[str]:
    """The command of the template, beside the installed npm package."""
    sdk.javascript(packages)
    (tarball,) = packages.glob("*.tgz")
    folder = packages / "js"
    installed = folder / "node_modules" / "cheeseboard-bot"
    installed.mkdir(parents=True)
    subprocess.run(["tar", "-xzf", str(tarball), "-C", str(installed), "--strip-components=1"], check=True)
    for name in ("@msgpack", "ws"):
        (folder / "node_modules" / name).symlink_to(MODULES / name)
    shutil.copy(packages / "templates" / "bot.mjs", folder)
    return ["node", str(folder / "bot.mjs")]


@pytest.fixture(scope="module")
def java(packages: Path) -> list[str]:
    """The command of the template, compiled against the jar."""
    sdk.java(packages)
    jar = packages / f"cheeseboard-bot-{sdk.VERSION}.jar"
    folder = packages / "java"
    subprocess.run(
        ["javac", "-cp", str(jar), "-d", str(folder), str(packages / "templates" / "MyBot.java")], check=True
    )
    return [*JAVA, "-cp", f"{jar}{os.pathsep}{folder}", "MyBot"]


async def play(service: Service, command: list[str]) -> None:
    """A bot that is started with this command sits down at a table with house bots and plays to the end."""
    ada = await Client.join(service.url, "Ada")
    token = (await ada.request("token", name="Gnawbot"))["token"]
    made = await ada.request("create", game="do_my_bidding", seats=3, seat=None)
    await ada.request("open", table=made["table"])
    bot = await asyncio.create_subprocess_exec(*command, service.http + "/", token, made["code"], cwd="/")
    try:
        await ada.until(lambda m: m["type"] == "table" and any(seat.get("name") == "Gnawbot" for seat in m["seats"]))
        await ada.request("start", table=made["table"])
        ended = await ada.until(lambda m: m["type"] == "table" and m["status"] == "ended")
        async with asyncio.timeout(20):
            assert await bot.wait() == 0
    finally:
        if bot.returncode is None:
            bot.kill()
            await bot.wait()
        await ada.close()
    (seat,) = [number for number, one in enumerate(ended["seats"]) if one["name"] == "Gnawbot"]
    moves = [update for update in ada.updates(made["table"]) if update.get("seat") == seat]
    assert moves
    assert {update.get("by", "seat") for update in moves} == {"seat"}


@pytest.mark.slow
async def test_the_wheel_plays_without_anything_of_the_server(
    packages: Path, python: list[str], service: Service
) -> None:
    assert (packages / "templates" / "bot.py").read_text() == example("sdk")
    await play(service, [*python, str(packages / "templates" / "bot.py")])


@pytest.mark.slow
def test_the_wheel_has_nothing_of_the_server(python: list[str]) -> None:
    absent = subprocess.run([*python, "-c", "import server"], capture_output=True, text=True, check=False, cwd="/")
    assert "No module named 'server'" in absent.stderr


@pytest.mark.slow
def test_the_wheel_has_the_arena_and_the_kit(packages: Path, python: list[str]) -> None:
    arena = [*python, "-m", "bots", "arena", "cheesedog", "--games", "3", "--seats"]
    seats = f"{packages / 'templates' / 'bot.py'},rookie,random"
    done = subprocess.run([*arena, seats], capture_output=True, text=True, check=False, cwd="/")
    assert (done.returncode, "bot.py" in done.stdout) == (0, True), done.stderr
    kit = [*python, "-m", "bots", "conform", "--only", "hello,chat", "--", *python]
    done = subprocess.run(
        [*kit, str(packages / "templates" / "bot.py"), *PLACES], capture_output=True, text=True, check=False, cwd="/"
    )
    assert "2 situations: 2 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
async def test_the_javascript_template_plays(javascript: list[str], service: Service) -> None:
    await play(service, javascript)


@pytest.mark.slow
@needs_java
async def test_the_java_template_plays(java: list[str], service: Service) -> None:
    await play(service, java)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["javascript", pytest.param("java", marks=needs_java)])
def test_the_template_passes_every_situation(language: str, request: pytest.FixtureRequest) -> None:
    command = request.getfixturevalue(language)
    code, findings = conform([*command, *PLACES], "--strict", *JOBS)
    assert (code, named(findings, "failed")) == (0, set())
    assert named(findings, "not for this bot") == NOT_FOR_JOINERS


@pytest.mark.slow
@pytest.mark.parametrize("language", ["javascript", pytest.param("java", marks=needs_java)])
def test_the_template_accepts_invitations(language: str, request: pytest.FixtureRequest) -> None:
    command = request.getfixturevalue(language)
    only = "hello,invited,invited-twice,invited-while-full,resumes"
    code, findings = conform([*command, *PLACES[:2]], "--strict", "--only", only, *JOBS)
    assert (code, named(findings, "passed")) == (0, set(only.split(",")))


def test_the_guide_names_the_packages_as_they_are_built() -> None:
    for name in (f"cheeseboard_bots-{sdk.VERSION}-py3-none-any.whl", f"cheeseboard-bot-{sdk.VERSION}.tgz"):
        assert name in DOCUMENT
    assert f"cheeseboard-bot-{sdk.VERSION}.jar" in DOCUMENT
