"""Every form of REDIS_URL leads to the same server and database for all parts of the service."""

from __future__ import annotations

import ssl

import pytest
import redis

from server.process.embedded_valkey import EmbeddedValkey
from server.process.store_check import check_store
from server.store.address import StoreAddress, StoreUrl
from server.store.redis_connection import RedisConnection
from server.store.store_server import StoreServer


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://store.test", ("", "store.test", 6379, "default", "", 0)),
        ("redis://:s%40cret@store.test:7000/3", ("", "store.test", 7000, "default", "s@cret", 3)),
        ("redis://ada:secret@store.test/2", ("", "store.test", 6379, "ada", "secret", 2)),
        ("unix:///run/store.sock", ("/run/store.sock", "127.0.0.1", 6379, "default", "", 0)),
        ("unix://:secret@/run/store.sock?db=2", ("/run/store.sock", "127.0.0.1", 6379, "default", "secret", 2)),
    ],
)
def test_a_url_is_read(url: str, address: tuple[str, str, int, str, str, int]) -> None:
    read = StoreAddress.from_url(url)
    assert (read.path, read.host, read.port, read.username, read.password, read.database) == address
    assert read.tls is None


def test_tls_checks_the_certificate_unless_the_url_says_otherwise() -> None:
    checked, unchecked = (StoreAddress.from_url(f"rediss://h{rest}").tls for rest in ("", "?ssl_cert_reqs=none"))
    assert checked is not None
    assert unchecked is not None
    assert (checked.verify_mode, unchecked.verify_mode) == (ssl.CERT_REQUIRED, ssl.CERT_NONE)


@pytest.mark.parametrize("url", ["http://h", "redis://h:port", "store"])
def test_a_bad_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError):
        StoreAddress.from_url(url)


def test_the_urls_of_sentinels_and_clusters_are_read() -> None:
    watched = StoreUrl.parse("redis+sentinel://ada:s%40cret@a:1,b,[::1]:5/board/3?sentinel_password=x%2F")
    assert watched.kind == "sentinel"
    assert watched.hosts == ("redis://:x%2F@a:1", "redis://:x%2F@b:26379", "redis://:x%2F@[::1]:5")
    assert (watched.service, watched.at("::2", 7000)) == ("board", "redis://ada:s%40cret@[::2]:7000/3")
    cluster = StoreUrl.parse("rediss+cluster://:secret@a:7000,b?ssl_cert_reqs=none")
    assert cluster.hosts == ("rediss://:secret@a:7000?ssl_cert_reqs=none", "rediss://:secret@b?ssl_cert_reqs=none")
    assert StoreAddress.from_url(cluster.at("c", 7001)).password == "secret"
    assert StoreUrl.parse("redis://h/2").hosts == ("redis://h/2",)


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://host",
        "redis+sentinel:///board",
        "redis+cluster://",
        "redis+cluster://h/2",
        "redis+x://h",
        "http+cluster://h",
        "redis+cluster://h:port",
    ],
)
def test_a_bad_url_of_several_hosts_is_refused_without_saying_its_password(url: str) -> None:
    with pytest.raises(ValueError) as caught:
        StoreUrl.parse(url.replace("://", "://:secret@"))
    assert "secret" not in str(caught.value)


async def test_the_database_of_a_unix_url_is_the_one_that_is_used(embedded: EmbeddedValkey, store_url: str) -> None:
    url = f"{store_url}?db=2"
    check_store(url)
    connection = RedisConnection(StoreServer.at(url))
    await connection.start()
    await connection.call("SET", "key", "value")
    await connection.close()
    with redis.Redis(unix_socket_path=str(embedded.socket)) as store:
        assert list(store.info("keyspace")) == ["db2"]
