"""Names of HTML that matter to what is shown, fetched and run."""


def listed(names: str) -> frozenset[str]:
    """Names that are written one behind the other."""
    return frozenset(names.split())


VOID = listed("area base br col embed hr img input link meta param source track wbr")
"""Elements without content."""
ENDS_ITSELF = listed("p li dt dd tr td th option")
"""Elements that the next one of their kind ends."""
NEVER_EMPTY = listed("a b div em font i p section span strong td")
"""Browsers do not read `<div/>` as an empty element."""
INLINE = listed(
    "a abbr b bdi bdo cite code em font i kbd mark q s small span strong sub sup tt u var wbr tspan textpath"
)
"""Elements that leave no gap."""
NOT_SHOWN = listed("template noscript datalist canvas object audio video noembed noframes iframe annotation mj-preview")
NOT_SHOWN_IN_PICTURES = listed("desc metadata title text defs foreignobject")
ON_DEMAND = listed("details dialog")
"""Elements that show what they hold as soon as somebody wants it, unless they are `open`."""
ALWAYS_SHOWN = listed("html body head main script style link meta")
"""What hides these is taken back by a script, or means nothing."""
IN_HEAD = listed("html head meta link base script style title")

TECHNICAL = listed(
    "class style id src href srcset sizes d points viewbox transform rel integrity nonce width height"
    " type name for action"
    " target media lang xmlns xlink:href charset path method"
)
"""Attributes that hold no words."""
DRAWN = ("opacity", "font-size", "fill", "color", "fill-opacity", "display", "visibility", "bgcolor")
"""Attributes that mean what the property of that name means in a style."""
HIDDEN_CLASSES = listed(
    "hidden hide is-hidden u-hidden d-none display-none sr-only visually-hidden visuallyhidden visuallyHidden"
    " screen-reader-text screen-reader-only screenreader-only screen-reader a11y-hidden assistive-text offscreen"
    " off-screen invisible element-invisible opacity-0 text-transparent hidden-text text-hide"
)

ADDRESSES = listed(
    "src href data action formaction poster background xlink:href lowsrc dynsrc longdesc cite ping manifest srcset"
    " imagesrcset data-src code classid codebase archive from to values"
)
"""Attributes that hold an address."""
FETCHED = listed("img image iframe frame embed object audio video source track input body table td th link use feimage")
"""Elements whose address is fetched without anybody's doing, and holds no part of a program's text."""
OPENS = listed("iframe frame embed object a area form button input base meta use")
"""Elements that show what an address of data holds as a page of its own."""
CALLS = listed("a area form button input")
"""Elements whose address commonly calls a function of their page."""
FOLLOWED = listed("href xlink:href action formaction")
"""In which attributes it does."""
ATTENDED = listed(
    "onclick ondblclick onauxclick oncontextmenu onchange oninput onsubmit onreset onselect onblur onkeydown"
    " onkeyup onkeypress onmousedown onmouseup onmouseover onmouseout onmouseenter onmouseleave onmousemove"
    " onwheel onpointerdown onpointerup ontouchstart ontouchend ontouchmove ondrag ondragstart ondragend"
    " ondragover ondrop oncopy oncut onpaste onsearch"
)
"""What happens only when somebody does something: of all other events nobody knows."""
