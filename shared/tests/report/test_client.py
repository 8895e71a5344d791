"""The client: an answer, or why there is none, whatever the other end does."""

import socket
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from threading import Event, Thread

import pytest

from interpose.report.client import MOST_ANSWER_BYTES, Answer, Client, Endpoint, NoAnswer
from interpose.report.settings import read_url

from .conftest import PATIENCE_S, TOKEN, PlayedGateway, told

SHORT_MS = 100
LONG_MS = PATIENCE_S * 1000


@pytest.fixture
def client(gateway: PlayedGateway) -> Client:
    """A client of that gateway."""
    return Client(read_url(gateway.url), TOKEN)


def test_a_request_carries_the_token_and_no_origin(client: Client, gateway: PlayedGateway) -> None:
    """The bytes arrive as they were given, below /v1."""
    client.post("/audit", b'{"a": 1}', LONG_MS)

    (request,) = gateway.requests
    assert ("POST", "/v1/audit", b'{"a": 1}') == (request.method, request.path, request.body)
    assert "Bearer a-token" == request.headers["authorization"]
    assert "application/json" == request.headers["content-type"]
    assert "origin" not in request.headers


def test_the_path_of_the_base_url_is_kept(gateway: PlayedGateway) -> None:
    """For a gateway behind somebody's proxy."""
    Client(read_url(gateway.url + "/interpose/"), TOKEN).post("/audit", b"{}", LONG_MS)

    assert ["/interpose/v1/audit"] == [request.path for request in gateway.requests]


@pytest.mark.parametrize("status", [200, 201, 400, 401, 403, 404, 409, 413, 429, 500, 503])
def test_an_answer_is_its_status_and_its_object(client: Client, gateway: PlayedGateway, status: int) -> None:
    """Any 2xx is a success."""
    gateway.answers.append(told(status, {"error": "a_code", "message": "why"}))

    answer = client.post("/audit", b"{}", LONG_MS)

    assert Answer(status, {"error": "a_code", "message": "why"}) == answer
    assert (status < 300) == answer.is_success
    assert f"the gateway answered {status} (a_code: why)" == answer.trouble


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"error": 5}', b"\xff"])
def test_a_refusal_without_an_object_is_a_refusal(client: Client, gateway: PlayedGateway, body: bytes) -> None:
    """A proxy's page in the place of the gateway's words changes nothing about the status."""
    gateway.answers.append(b"HTTP/1.1 404 No\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    answer = client.post("/audit", b"{}", LONG_MS)

    assert isinstance(answer, Answer)
    assert (404, "the gateway answered 404") == (answer.status, answer.trouble)


HEAD = b"HTTP/1.1 200 OK\r\n"
GOOD = b'{"evaluation_id": "e", "decision": "allow"}'


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (b"", "Remote end closed connection without response"),
        (b"HTTP/1.1 200 OK\r\nContent-Le", None),
        (b"this is no HTTP\r\n\r\n", "the answer cannot be read: BadStatusLine"),
        (HEAD + b"Content-Length: 0\r\n\r\n", "the answer is no JSON object"),
        (b"HTTP/1.1 204 No\r\n\r\n", "the answer is no JSON object"),
        (HEAD + b"Content-Length: 100\r\n\r\n" + GOOD, "the answer was cut off"),
        (HEAD + b"Content-Length: 5\r\n\r\n" + GOOD, "the answer is no JSON object"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nff\r\n" + GOOD, "the answer cannot be read: IncompleteRead"),
        (HEAD + b"Content-Length: 2\r\n\r\n[]", "the answer is no JSON object"),
        (HEAD + b"Content-Length: 4\r\n\r\nnull", "the answer is no JSON object"),
        (HEAD + b'Content-Length: 9\r\n\r\n{"a":NaN}', "the answer is no JSON object"),
        (HEAD + b'Content-Length: 13\r\n\r\n{"a":1,"a":2}', "the answer is no JSON object"),
        (HEAD + b"\r\n" + b"[" * 100_000, "the answer is no JSON object"),
        (HEAD + b"X: " + b"y" * 100_000 + b"\r\n\r\n{}", "the answer cannot be read: LineTooLong"),
        (HEAD + b"\r\n" + b" " * (MOST_ANSWER_BYTES + 1), f"the answer is larger than {MOST_ANSWER_BYTES} bytes"),
    ],
    ids=range(15),
)
def test_what_is_no_answer_says_why(client: Client, gateway: PlayedGateway, answer: bytes, trouble: str | None) -> None:
    """Nothing that is not whole and one JSON object counts, also where it begins with an allow."""
    gateway.answers.append(answer)

    outcome = client.post("/evaluate", b"{}", LONG_MS)

    assert isinstance(outcome, NoAnswer)
    assert trouble in (None, outcome.trouble)


def test_a_redirect_is_not_followed(client: Client, gateway: PlayedGateway) -> None:
    """The token goes nowhere else."""
    gateway.answers.append(
        b"HTTP/1.1 307 There\r\nLocation: %s/v1/x\r\nContent-Length: 0\r\n\r\n" % gateway.url.encode()
    )

    answer = client.post("/evaluate", b"{}", LONG_MS)

    assert (307, {}) == answer
    assert 1 == len(gateway.requests)


def test_a_gateway_that_says_nothing_is_left_in_time(client: Client, gateway: PlayedGateway) -> None:
    """The server hangs for far longer than the test would wait."""
    gateway.answers.append(None)

    assert NoAnswer("no answer within 100 ms") == client.post("/evaluate", b"{}", SHORT_MS)


@pytest.mark.parametrize("begin", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n"])
def test_a_gateway_that_drips_is_left_in_time(drip: Callable[[bytes], Endpoint], begin: bytes) -> None:
    """A byte now and then restarts no clock: in the status, in the headers, in the body."""
    assert NoAnswer("no answer within 100 ms") == Client(drip(begin), TOKEN).post("/evaluate", b"{}", SHORT_MS)


@pytest.fixture
def drip() -> Iterator[Callable[[bytes], Endpoint]]:
    """Somewhere that never ends its answer, and hears of it when the client hangs up."""
    listening = socket.create_server(("127.0.0.1", 0))
    threads: list[Thread] = []

    def talk(begin: bytes) -> None:
        connection, _ = listening.accept()
        with connection:
            connection.settimeout(PATIENCE_S)
            connection.sendall(begin)
            heard = connection.recv(65536)
            while heard:
                connection.sendall(b"1")
                connection.settimeout(0.01)
                try:
                    heard = connection.recv(65536)
                except TimeoutError:
                    continue
                except ConnectionError:
                    break

    def serve(begin: bytes) -> Endpoint:
        threads.append(Thread(target=talk, args=(begin,)))
        threads[-1].start()
        return Endpoint("127.0.0.1", listening.getsockname()[1], "", is_tls=False)

    yield serve
    for thread in threads:
        thread.join(PATIENCE_S)
    listening.close()
    assert not any(thread.is_alive() for thread in threads)


def test_nobody_there_is_no_answer() -> None:
    """With the system's own word."""
    assert NoAnswer("Connection refused") == Client(read_url("http://127.0.0.1:1"), TOKEN).post("/x", b"{}", LONG_MS)


def test_tls_is_not_spoken_to_a_server_without_it(gateway: PlayedGateway) -> None:
    """A base URL with https is what it says."""
    https = read_url(gateway.url.replace("http:", "https:"))

    assert isinstance(Client(https, TOKEN).post("/evaluate", b"{}", SHORT_MS), NoAnswer)
    assert [] == gateway.requests


class Late(Endpoint):
    """An endpoint whose connection comes about when it is too late."""

    def connect(self, timeout_s: float) -> HTTPConnection:
        """Only once somebody says so."""
        assert TOO_LATE.wait(PATIENCE_S)
        return super().connect(timeout_s)


TOO_LATE = Event()


def test_a_question_that_nobody_waits_for_is_not_asked(gateway: PlayedGateway) -> None:
    """A connection that comes about too late carries nothing: the gateway would hold an evaluation open for nobody."""
    before = set(threading.enumerate())
    outcome = Client(Late(*read_url(gateway.url)), TOKEN).post("/evaluate", b"{}", SHORT_MS)
    (left_behind,) = [thread for thread in set(threading.enumerate()) - before if thread.name == "interpose-report"]
    TOO_LATE.set()
    left_behind.join(PATIENCE_S)
    gateway.stop()

    assert NoAnswer("no answer within 100 ms") == outcome
    assert [] == gateway.requests
