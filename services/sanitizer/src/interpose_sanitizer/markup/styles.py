"""Whether a style hides what it is given to. It may err towards yes: being hidden alone takes nothing away."""

import re
from dataclasses import dataclass, field
from itertools import islice

import re2  # type: ignore[import-untyped]

from interpose_sanitizer.markup.words import decoded

_COMMENT = re.compile(r"/\*[^*]{0,400}\*/")
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?")
_NUMBER = re.compile(r"-?[0-9]{0,8}\.?[0-9]{1,8}")
_SPACED = re.compile(r"(?<=[\d%a-z])\s{1,400}(?=[-\d.])")
_SHORT_FONT = re.compile(r"(?:\A|[a-z])(\.?[0-9][0-9.]{0,8})(px|pt|r?em|%|vw|vh)?(?:/|[a-z\"']|\Z)")
_SHRUNK = re.compile(
    r"(?:scale[xy3d]{0,2}\(0(?:\.0[0-9]{0,4})?|(?:scale[xy3d]{0,2}\()\.0|(?<=rotate[xy]\()(?:90deg|270deg|-90deg))"
)
_COLOURS = {"white": "ffffff", "black": "000000", "snow": "fffafa", "ivory": "fffff0", "whitesmoke": "f5f5f5"}
_SELECTOR = re.compile(r"([a-zA-Z][\w-]{0,40})?([.#][\w-]{1,80}|\[[a-z][\w-]{0,40})?(?:[~|^$*]?=[^\[\]]{0,80})?\]?")
_GONE = {
    "display": ("none",),
    "visibility": ("hidden", "collapse"),
    "content-visibility": ("hidden",),
    "mso-hide": ("all",),
    "clip": ("rect(0", "rect(1px"),
    "clip-path": ("inset(5", "inset(100", "circle(0", "polygon(0,0", "polygon(0px,0", "ellipse(0"),
    "transform": ("translate(-", "translatex(-", "translatey(-", "translate3d(-"),
    "translate": ("-",),
    "scale": ("0",),
    "zoom": ("0", ".0"),
    "filter": ("opacity(0", "alpha(opacity=0", "progid:dximagetransform.microsoft.alpha(opacity=0"),
    "-ms-filter": ("alpha(opacity=0",),
    "mask-image": ("linear-gradient(transparent", "none,"),
    "-webkit-mask-image": ("linear-gradient(transparent",),
    "contain": ("strict",),
}
"""What a value begins with when nothing is left to be seen."""
_FAR = ("left", "right", "top", "bottom", "text-indent", "margin-left", "margin-right", "margin-top", "margin", "inset")
_SMALL = ("height", "width", "max-height", "max-width", "line-height")
_INK = ("color", "-webkit-text-fill-color", "fill")
_GROUND = re.compile(
    r"(?:background(?:-color)?\s{0,4}:|bgcolor\s{0,4}=)\s{0,4}[\"']?([#\w(), .%]{3,30})", re.IGNORECASE
)
_MAY_BE_GROUND = re2.compile("(?i)background|bgcolor")
MOST_GROUNDS = 200
MOST_RULES = 20_000


def grounds(text: str) -> frozenset[str]:
    """The colours that a page gives to grounds: ink of one of them may stand on it."""
    begun = (_GROUND.match(text, one.start()) for one in _MAY_BE_GROUND.finditer(text))
    told = islice((one for one in begun if one), MOST_GROUNDS)
    found = (_colour("".join(one[1].lower().split())) for one in told)
    return frozenset(one for one in found if one not in {"", "none"})


def hides(style: str, grounds: frozenset[str] = frozenset()) -> bool:
    """Whether declarations such as `display: none` leave nothing to be seen, on a page with these grounds."""
    given = _declarations(style)
    return (
        any(value.startswith(_GONE.get(name, ())) for name, value in given.items())
        or any(_is_below(given.get(name), -99) for name in _FAR)
        or _SHRUNK.search(given.get("transform", "")) is not None
        or _is_below(given.get("letter-spacing"), -0.4)
        or _is_faint(given)
        or _is_tiny(given)
        or _is_behind(given)
        or _blends(given, grounds)
    )


def _declarations(style: str) -> dict[str, str]:
    plain = _ESCAPE.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)), _COMMENT.sub("", decoded(style).lower()))
    given: dict[str, str] = {}
    for declaration in plain.split(";"):
        name, _, value = declaration.partition(":")
        spaced = _SPACED.sub(",", value.strip())
        given["".join(name.split())] = "".join(spaced.split()).replace("!important", "").replace("calc(", "")
    return given


def _number(value: str | None) -> float | None:
    found = _NUMBER.match(value or "")
    return float(found[0]) if found else None


def _is_below(value: str | None, limit: float) -> bool:
    number = _number(value)
    return number is not None and number < limit


def _is_faint(given: dict[str, str]) -> bool:
    opacity = given.get("opacity") or given.get("fill-opacity")
    return opacity is not None and _is_below(opacity, 8 if opacity.endswith("%") else 0.08)


def _is_tiny(given: dict[str, str]) -> bool:
    size = _SHORT_FONT.search(given.get("font-size") or given.get("font", ""))
    if size:
        limit = 0.13 if size[2] in {"em", "rem"} else 3 if size[2] in {"%", "px", "pt"} else 0.5
        if _is_below(size[1], limit):
            return True
    if all(_is_below(given.get(name), 2) for name in ("height", "width")):
        return True
    cut = given.get("overflow", "").startswith(("hidden", "clip"))
    if cut and "%" in given.get("text-indent", "") and not _is_below(given["text-indent"], 100):
        return True
    return cut and any(_is_below(given.get(name), 2) for name in _SMALL if name != "line-height")


def _is_behind(given: dict[str, str]) -> bool:
    return _is_below(given.get("z-index"), 0)


def _blends(given: dict[str, str], grounds: frozenset[str]) -> bool:
    """Ink without colour, of the colour of its ground or of another one, or white: most grounds are."""
    ground = _colour(given.get("background-color") or given.get("background") or given.get("bgcolor") or "")
    for name in _INK:
        ink = _colour(given.get(name, ""))
        if ink == "none":
            return True
        if ink and ground not in {"", "none"} and _are_alike(ink, ground):
            return True
        if ink and ground in {"", "none"} and (ink in grounds or _are_alike(ink, "ffffff")):
            return True
    return False


def _are_alike(one: str, other: str) -> bool:
    return all(abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) < 24 for at in (0, 2, 4))


def _colour(value: str) -> str:
    """As six hexadecimal digits; `none` for one that is not seen, nothing for what is not known."""
    if value in {"transparent", "none"}:
        return "none"
    if value.startswith(("rgb", "hsl")):
        return _mixed(value)
    known = _COLOURS.get(value, value.removeprefix("#") if value.startswith("#") else "")
    if len(known) in {3, 4}:
        known = "".join(one * 2 for one in known)
    if len(known) not in {6, 8} or not set(known) <= set("0123456789abcdef"):
        return ""
    return "none" if known[6:] == "00" else known[:6]


def _mixed(value: str) -> str:
    parts = [_number(part) for part in value.partition("(")[2].rstrip(")").replace("/", ",").split(",")]
    if len(parts) > 3 and parts[3] is not None and parts[3] < 0.08:
        return "none"
    if len(parts) < 3 or any(part is None for part in parts[:3]):
        return ""
    if value.startswith("hsl"):
        return _of_lightness(parts[2] or 0)
    return "".join(f"{min(max(int(part or 0), 0), 255):02x}" for part in parts[:3])


def _of_lightness(percent: float) -> str:
    """Black and white of a colour by hue: in between grounds tell by other words."""
    return "ffffff" if percent >= 97 else "000000" if percent <= 3 else ""


@dataclass(slots=True)
class Sheet:
    """What the style sheets of a page hide: elements, classes (`.name`), ids (`#name`), attributes (`[name`)."""

    names: set[str] = field(default_factory=set)

    def add(self, css: str) -> None:
        """Read one sheet. Only simple selectors count: the last part of each, without what stands before it."""
        for rule in css.split("}", MOST_RULES)[:MOST_RULES]:
            before, opened, style = rule.rpartition("{")
            if opened and len(style) < 2_000 and hides(style):
                selectors = before[before.rfind("{") + 1 :][-2_000:]
                self.names.update(name for one in selectors.split(",") for name in _simple(one))


def _simple(selector: str) -> list[str]:
    words = selector.split()
    found = _SELECTOR.fullmatch(words[-1]) if words else None
    if found is None or not any(found.groups()):
        return []
    return [found[2] or found[1].lower()]
