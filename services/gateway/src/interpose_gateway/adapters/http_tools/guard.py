"""Which addresses a host may have that a call or a redirect named: public ones. Pure.

What is not surely public is refused: whatever serves metadata, this machine or the operator's network stands there.
"""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from interpose.contracts.http_tool import HttpTool, split_place
from interpose.contracts.url import Origin
from interpose.contracts.url_template import UrlTemplate

_NOT_PUBLIC_V4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared between carrier and customer; metadata of one cloud
        "127.0.0.0/8",
        "168.63.129.16/32",  # public by its number, metadata of one cloud
        "169.254.0.0/16",  # link-local; metadata of most clouds
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",  # multicast, reserved, broadcast
    )
)
_PUBLIC_V6 = IPv6Network("2000::/3")
_NOT_PUBLIC_V6 = tuple(IPv6Network(text) for text in ("2001::/23", "2001:db8::/32", "3fff::/20"))
_NAT64 = IPv6Network("64:ff9b::/96")


def refused(addresses: Iterable[str]) -> str | None:
    """The first address that is not public, of those that a name has; None when all are."""
    return next((address for address in addresses if not is_public(address)), None)


def is_public(text: str) -> bool:
    """Whether an address, and every address inside it, is public."""
    address = ip_address(text)
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_V4)
    inside = list(_embedded(address))
    if inside:
        return all(is_public(str(each)) for each in inside)
    return address in _PUBLIC_V6 and not any(address in network for network in _NOT_PUBLIC_V6)


def _embedded(address: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 address that packets to this one end at: mapped, 6to4, or behind a NAT64."""
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    if address.sixtofour is not None:
        yield address.sixtofour
    if address in _NAT64:
        yield IPv4Address(int(address) & 0xFFFFFFFF)


def is_chosen(origin: Origin, http: HttpTool, template: UrlTemplate) -> bool:
    """Whether the operator chose this origin: it is the template's own, or `allowHosts` names it."""
    return origin == template.origin or any(_allows(split_place(place), origin) for place in http.allow_hosts)


def _allows(place: tuple[str, int | None], origin: Origin) -> bool:
    host, port = place
    is_host = origin.host.endswith(host) if host.startswith(".") else origin.host == host
    return is_host and port in (None, origin.port)
