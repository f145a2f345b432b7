"""What is said of versions when the newest releases are tried."""

from __future__ import annotations

from tools import newest


def test_every_pin_and_every_locked_package_is_read() -> None:
    pins = newest.pinned()
    assert {"uvicorn", "websockets", "msgspec", "pytest-timeout", "prometheus-client"} <= set(pins)
    assert {"preact", "@msgpack/msgpack", "ws"} <= set(newest.locked(newest.ROOT / "web-client" / "package-lock.json"))


def test_only_versions_that_differ_are_listed() -> None:
    pins = {"uvicorn": "0.54.0", "uvloop": "0.23.0", "gone": "1.0"}
    assert newest.differences(pins, {"uvicorn": "0.55.0", "uvloop": "0.23.0", "new": "2.0"}) == [
        "gone: 1.0 -> not installed",
        "new: not pinned -> 2.0",
        "uvicorn: 0.54.0 -> 0.55.0",
    ]


def test_names_are_compared_as_pins_spell_them() -> None:
    assert newest.normal("Prometheus_Client") == newest.normal("prometheus.client") == "prometheus-client"
