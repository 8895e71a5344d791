"""The address guard on real connections: after resolution, on each redirect, and never resolved a second time."""

from typing import Any

import pytest

from interpose.contracts.words import Outcome

pytestmark = pytest.mark.asyncio(loop_scope="module")

FETCH = {"url": "{url}"}


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "[fd00:ec2::254]", "0.0.0.1", "10.0.0.1"]
)
async def test_an_address_that_is_not_public_is_refused(bench: Any, open_upstream: Any, host: str) -> None:
    """Nothing is connected to; a machine is told by the code, a person by the remedy."""
    upstream = await open_upstream()

    ended = await bench.run(FETCH, {"url": f"http://{host}:{upstream.port}/"})

    assert (Outcome.NOT_STARTED, "address-refused", 0) == (ended.outcome, ended.code, upstream.connections)
    assert "allowHosts" in ended.detail


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["127.0.0.1", "1.1.1.1"], ["2606:4700::1111", "::ffff:10.0.0.1"]],
)
async def test_a_name_with_an_address_that_is_not_public_is_refused(
    bench: Any, open_upstream: Any, addresses: list[str]
) -> None:
    """Wherever it stands among its answers; which address it is, the caller is not told."""
    upstream = await open_upstream()
    bench.names.answers = {"evil.example": addresses}

    ended = await bench.run(FETCH, {"url": f"http://evil.example:{upstream.port}/"})

    assert ("address-refused", 0) == (ended.code, upstream.connections)
    assert [False] * len(addresses) == [address in ended.detail for address in addresses]


async def test_a_name_without_addresses_is_not_started(bench: Any) -> None:
    """That is no refusal."""
    ended = await bench.run(FETCH, {"url": "http://nowhere.example/"})

    assert (Outcome.NOT_STARTED, None) == (ended.outcome, ended.code)
    assert "its name has no address" in ended.detail


async def test_a_name_is_resolved_once_for_each_connection(bench: Any, open_upstream: Any, answer: Any) -> None:
    """A name that answers otherwise the second time is refused then, and was never connected to in between."""
    upstream = await open_upstream(answer(200, "a"), hangs_up=True)
    allowed = FETCH | {"allowHosts": ["rebind.example"]}
    bench.names.answers = {"rebind.example": [["127.0.0.1"], ["127.0.0.1"]]}
    url = f"http://rebind.example:{upstream.port}/"

    first = await bench.run(allowed, {"url": url})
    second = await bench.run(FETCH, {"url": url})

    assert ("a", "address-refused") == (first.response, second.code)
    assert (["rebind.example"] * 2, 1) == (bench.names.asked, upstream.connections)


async def test_a_connection_that_nobody_had_to_check_is_not_taken_for_a_call_that_needs_the_check(
    bench: Any, open_upstream: Any, answer: Any
) -> None:
    """The same host, kept alive by a tool that may reach it, is refused to one that may not."""
    upstream = await open_upstream(answer(200, "a"))
    bench.names.answers = {"wiki.example": ["127.0.0.1"]}
    url = f"http://wiki.example:{upstream.port}/"

    allowed = await bench.run(FETCH | {"allowHosts": ["wiki.example"]}, {"url": url})
    refused = await bench.run(FETCH, {"url": url})
    fixed = await bench.run({"url": url})

    assert ("a", "address-refused", "a") == (allowed.response, refused.code, fixed.response)
    assert 1 == upstream.connections


@pytest.mark.parametrize(
    "location", ["http://127.0.0.1:{port}/", "http://inner.example:{port}/", "//169.254.169.254/latest/meta-data"]
)
async def test_a_redirect_is_guarded_anew(bench: Any, open_upstream: Any, answer: Any, location: str) -> None:
    """The tool has run, so it is an error; where it led nothing arrives."""
    inner = await open_upstream(answer(200, "secret"))
    outer = await open_upstream(answer(302, location=location.format(port=inner.port)))
    bench.names.answers = {"outer.example": ["127.0.0.1"], "inner.example": ["127.0.0.1"]}
    http = FETCH | {"allowHosts": ["outer.example"]}

    ended = await bench.run(http, {"url": f"http://outer.example:{outer.port}/"})

    assert (Outcome.ERROR, 0, 1) == (ended.outcome, inner.connections, len(outer.asked))
    assert "after 1 redirects" in ended.response["error"]
    assert "not public" in ended.response["error"]


async def test_a_fixed_host_is_guarded_where_it_redirects(bench: Any, open_upstream: Any, answer: Any) -> None:
    """Its own origin is the operator's choice, another port of the same machine is not."""
    inner = await open_upstream(answer(200, "secret"))
    pages = {"/": answer(302, location="/own"), "/own": answer(200, "own"), "/out": answer(302, location=inner.url)}
    outer = await open_upstream(lambda asked: pages[asked.target])

    own = await bench.run({"url": f"{outer.url}/"})
    out = await bench.run({"url": f"{outer.url}/out"})

    assert ("own", Outcome.ERROR, 0) == (own.response, out.outcome, inner.connections)


async def test_the_next_address_is_tried(bench: Any, open_upstream: Any, answer: Any) -> None:
    """Where nobody listens at the first; the request is sent once."""
    upstream = await open_upstream(answer(200, "a"))
    bench.names.answers = {"two.example": ["::1", "127.0.0.1"]}

    ended = await bench.run({"url": f"http://two.example:{upstream.port}/"})

    assert ("a", 1) == (ended.response, len(upstream.asked))


async def test_tls_is_checked_against_the_name(bench: Any, open_upstream: Any, answer: Any) -> None:
    """The address is connected to, the certificate must be for the name; for another name nothing is sent."""
    upstream = await open_upstream(answer(200, "a"), is_tls=True)
    bench.names.answers = {"good.example": ["127.0.0.1"], "other.example": ["127.0.0.1"]}

    good = await bench.run({"url": f"https://good.example:{upstream.port}/"})
    other = await bench.run({"url": f"https://other.example:{upstream.port}/"})

    assert ("a", Outcome.NOT_STARTED, 1) == (good.response, other.outcome, len(upstream.asked))
    assert "its certificate is not trusted for its name" in other.detail


async def test_a_redirect_from_https_to_http_is_not_followed(bench: Any, open_upstream: Any, answer: Any) -> None:
    """What came encrypted does not go on in the open."""
    plain = await open_upstream()
    upstream = await open_upstream(answer(302, location=f"http://good.example:{plain.port}/"), is_tls=True)
    bench.names.answers = {"good.example": ["127.0.0.1"]}

    ended = await bench.run({"url": f"https://good.example:{upstream.port}/", "allowHosts": ["good.example"]})

    assert (Outcome.ERROR, 0) == (ended.outcome, plain.connections)
    assert "from https to http" in ended.response["error"]
