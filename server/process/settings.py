"""The operator's settings, all of them environment variables."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from server.process.cpus import available_cpus
from server.requests.limits.limits import BadLimit, Limits, networks
from server.store.durability import DURABILITIES, Durability
from server.web.origins import AllowedOrigins, BadOrigin


class BadSetting(Exception):  # noqa: N818
    """A setting that cannot work, described in one line that says what to do."""


@dataclass(frozen=True)
class Settings:
    """The settings of one running service."""

    host: str = "127.0.0.1"
    port: int = 8000
    nodes: int = 1
    bots: int = 1
    analyst: int = 1  # 0 for none
    analyst_moves: int = 1_000_000  # that are simulated for the analysis of a game
    bot_pause_ms: int = 900
    bot_think_ms: int = 400
    data: Path = Path("data")
    redis_url: str = ""
    durability: Durability = "process"
    log_level: str = "warning"
    metrics_host: str = "127.0.0.1"
    metrics_port: int = 0  # 0 for none
    store_memory_mb: int = 1024  # of the embedded store
    trusted_proxies: str = ""

    @classmethod
    def from_environment(cls) -> Settings:
        """Read the settings from the environment; unset ones have their default."""
        _check_origins()
        _check_limits()
        port = _number("PORT", 8000, 0, 65535)
        return cls(
            host=os.environ.get("HOST") or "127.0.0.1",
            port=port,
            nodes=_number("NODES", available_cpus(), 1, 256),
            bots=_number("BOTS", 1, 0, 64),
            analyst=_number("ANALYST", 1, 0, 1),
            analyst_moves=_number("ANALYST_MOVES", 1_000_000, 1, 10**8),
            bot_pause_ms=_number("BOT_PAUSE_MS", 900, 0, 60_000),
            bot_think_ms=_number("BOT_THINK_MS", 400, 10, 10_000),
            data=Path(os.environ.get("DATA") or "data").resolve(),
            redis_url=os.environ.get("REDIS_URL", ""),
            durability=_durability(os.environ.get("DURABILITY") or "process"),
            log_level=_level(os.environ.get("LOG_LEVEL") or "warning"),
            metrics_host=os.environ.get("METRICS_HOST") or "127.0.0.1",
            metrics_port=_number("METRICS_PORT", port + 1000 if 0 < port <= 64535 else 0, 0, 65535),
            store_memory_mb=_number("STORE_MEMORY_MB", 1024, 16, 2**20),
            trusted_proxies=_proxies(os.environ.get("TRUSTED_PROXIES", "")),
        )


def _number(name: str, default: int, least: int, most: int) -> int:
    text = os.environ.get(name) or str(default)
    if not text.isdecimal() or not least <= int(text) <= most:
        raise BadSetting(f"{name} is {text!r}, but has to be a whole number from {least} to {most}")
    return int(text)


def _check_origins() -> None:
    """Find a mistake in ALLOWED_HOSTS or ALLOWED_ORIGINS before a node starts."""
    try:
        AllowedOrigins.from_environment(os.environ)
    except BadOrigin as fault:
        raise BadSetting(str(fault)) from None


def _check_limits() -> None:
    """Find a mistake in the limits before a node starts."""
    try:
        Limits.from_environment(os.environ)
    except BadLimit as fault:
        raise BadSetting(str(fault)) from None


def _proxies(text: str) -> str:
    """Find a mistake in the list of proxies before a node starts."""
    try:
        networks("TRUSTED_PROXIES", text)
    except BadLimit as fault:
        raise BadSetting(str(fault)) from None
    return text


def _durability(text: str) -> Durability:
    for one in DURABILITIES:
        if text == one:
            return one
    raise BadSetting(f"DURABILITY is {text!r}, but has to be one of {', '.join(DURABILITIES)}")


def _level(text: str) -> str:
    levels = ("debug", "info", "warning", "error")
    if text.lower() not in levels:
        raise BadSetting(f"LOG_LEVEL is {text!r}, but has to be one of {', '.join(levels)}")
    return text.lower()
