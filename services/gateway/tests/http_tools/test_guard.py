"""Only public addresses are reached by a host that a call named, in whatever form they are written or wrapped."""

import pytest

from interpose.contracts.http_tool import HttpTool
from interpose.contracts.url import parse_url
from interpose.contracts.url_template import UrlTemplate
from interpose_gateway.adapters.http_tools.guard import is_chosen, is_public, refused


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.215.14", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1"]
)
def test_public_addresses_are_public(address):
    """Also the neighbours of private networks, and the same wrapped for IPv6."""
    assert is_public(address)
    assert is_public(f"::ffff:{address}")
    assert is_public(f"64:ff9b::{address}")


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",  # noqa: S104 - refused, not bound
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.168.1.1",
        "198.18.0.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
    ],
)
def test_other_ipv4_addresses_are_not(address):
    """Nor what they are wrapped in: mapped, compatible, behind a NAT64."""
    wrapped = [f"::ffff:{address}", f"::{address}", f"64:ff9b::{address}", f"64:ff9b:1::{address}"]

    assert [False] * 5 == [is_public(each) for each in [address, *wrapped]]


@pytest.mark.parametrize(
    "address",
    [
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "fc00::1",
        "fd00:ec2::254",
        "fd20:ce::254",
        "ff02::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "3fff::1",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::",
        "5f00::1",
        "4000::1",
    ],
)
def test_other_ipv6_addresses_are_not(address):
    """Loopback, link-local, site-local, unique local, multicast, documentation, Teredo, private ones inside 6to4."""
    assert not is_public(address)


def test_public_ipv6_addresses_are_public():
    """Global unicast, and a public address inside 6to4."""
    assert is_public("2606:4700::1111")
    assert is_public("2002:101:101::")


def test_one_address_that_is_not_public_refuses_the_name():
    """Wherever it stands among the answers."""
    assert "10.0.0.1" == refused(["1.1.1.1", "10.0.0.1"])
    assert "::1" == refused(["::1", "1.1.1.1"])
    assert refused(["1.1.1.1", "2606:4700::1111"]) is None


@pytest.mark.parametrize(
    ("places", "url", "is_so"),
    [
        ([], "http://10.0.0.1/", False),
        (["10.0.0.1"], "http://10.0.0.1:8080/", True),
        (["10.0.0.1:80"], "http://10.0.0.1/", True),
        (["10.0.0.1:80"], "http://10.0.0.1:8080/", False),
        (["wiki.corp.example"], "https://WIKI.corp.example./", True),
        (["wiki.corp.example"], "https://evil-wiki.corp.example/", False),
        (["*.corp.example"], "https://wiki.corp.example/", True),
        (["*.corp.example"], "https://a.b.corp.example/", True),
        (["*.corp.example"], "https://corp.example/", False),
        (["*.corp.example"], "https://evilcorp.example/", False),
        (["*.corp.example:8443"], "https://wiki.corp.example/", False),
        (["[::1]:8080"], "http://[0:0::1]:8080/", True),
        (["[::1]:8080"], "http://[::1]/", False),
    ],
)
def test_allow_hosts_names_hosts_ports_and_suffixes(places, url, is_so):
    """Exactly those."""
    http = HttpTool(url="{url}", allow_hosts=places)

    assert is_so == is_chosen(parse_url(url).origin, http, UrlTemplate.parse("{url}"))


def test_the_templates_own_origin_is_the_operators_choice():
    """With its scheme and its port; another port on the same host is not."""
    http = HttpTool(url="http://10.0.0.1:8080/a")
    template = UrlTemplate.parse("http://10.0.0.1:8080/a")

    told = [
        is_chosen(parse_url(f"{at}/b").origin, http, template) for at in ("http://10.0.0.1:8080", "http://10.0.0.1")
    ]
    assert [True, False] == told


@pytest.mark.parametrize("place", ["", "a b", "*", "*.", "a:0", "a:70000", "http://a.example", "a/b", "[::1", "0x7f.1"])
def test_a_place_that_nobody_can_match_refuses_the_file(place):
    """What is no host, port or suffix would allow nothing, or not what was meant."""
    with pytest.raises(ValueError, match="allowHosts"):
        HttpTool.model_validate({"url": "{url}", "allowHosts": [place]})
