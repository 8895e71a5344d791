"""A URL has one reading, and its host one spelling."""

import pytest

from interpose.contracts.url import MAX_CHARACTERS, is_loopback, parse_url


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("https://Example.COM", "https://example.com/"),
        ("https://example.com.:443/a", "https://example.com/a"),
        ("http://example.com:8080?q=1#part", "http://example.com:8080/?q=1"),
        ("https://example.com/%2e%41/ä?ü=1|2", "https://example.com/%2e%41/%C3%A4?%C3%BC=1%7C2"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("http://[2001:DB8:0::1]:81/", "http://[2001:db8::1]:81/"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://127.0.0.1/", "http://127.0.0.1/"),
        ("HTTP://a_b.example/", "http://a_b.example/"),
    ],
)
def test_a_url_is_read_into_its_one_spelling(text, read):
    """Lower case, no last dot, no port that goes without saying, no fragment, ASCII."""
    assert read == str(parse_url(text))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "http://"),
        ("ftp://example.com/", "http://"),
        ("file:///etc/passwd", "http://"),
        ("//example.com/", "http://"),
        ("https:///path", "host"),
        ("https://user@example.com/", "user"),
        ("https://example.com@127.0.0.1/", "user"),
        ("https://example.com\\@127.0.0.1/", "backslash"),
        ("https://exam\tple.com/", "control"),
        ("https://example.com/a b", "space"),
        ("https://example.com/\r\nHost: x", "control"),
        ("https://example.com:0/", "port 0"),
        ("https://example.com:99999/", "port"),
        ("https://example.com:x/", "port"),
        ("https://[::1/", "malformed"),
        ("https://[fe80::1%25eth0]/", "host"),
        ("https://exa%6dple.com/", "host"),
        ("https://a..b/", "host"),
        ("https://-a.example/", "host"),
        ("http://2130706433/", "unusual"),
        ("http://0x7f000001/", "unusual"),
        ("http://0x7f.1/", "unusual"),
        ("http://0177.0.0.1/", "unusual"),
        ("http://127.1/", "unusual"),
        ("http://127.0.0.1.example.0x1/", "unusual"),
        ("http://１２７.0.0.1/", "unusual"),  # noqa: RUF001 - digits that are folded into ASCII
        ("http://" + "a" * MAX_CHARACTERS, "characters"),
    ],
)
def test_a_url_of_two_readings_is_refused(text, word):
    """With a sentence that says what is wrong and does not repeat the URL."""
    with pytest.raises(ValueError, match=word) as refused:
        parse_url(text)

    assert not text or text not in str(refused.value)


LOOPBACK = {"127.0.0.1": True, "127.9.9.9": True, "::1": True, "localhost": True}
BEYOND = {"0.0.0.0": False, "::": False, "192.168.1.2": False, "localhost.example.org": False, "": False}  # noqa: S104


@pytest.mark.parametrize(("host", "is_so"), (LOOPBACK | BEYOND).items())
def test_loopback_is_what_other_machines_cannot_reach(host, is_so):
    """An address of its range or the name `localhost`; whatever else it may resolve to, another name is not."""
    assert is_so is is_loopback(host)
