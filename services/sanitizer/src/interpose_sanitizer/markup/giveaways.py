"""What an address tells of its reader: words for what is to be put there, and parameters of whoever is logged in."""

import re

from interpose_sanitizer.markup.names import listed
from interpose_sanitizer.markup.words import plain_address

_NAMED = re.compile(r"[?&;#][\w.-]{1,40}=([A-Za-z]{2,20}(?:[_+-][A-Za-z0-9]{2,20}){1,8})(?=[&#]|\Z)")


_OF_SOMEBODY = listed("user users customer owner victim reader their your")
_ALL_OF_IT = listed("full entire whole all complete collected extracted stolen encoded everything")
_PUT = listed("here goes insert paste put")
_PRIVATE = listed(
    "notes secret secrets credentials conversation conversations history prompt inbox memory memories transcript"
    " contacts"
)
_HELD = _PRIVATE | listed(
    "password passwords passphrase question questions documents keys token tokens mails emails messages chat cookies"
    " context files text data content contents body summary info email message"
)
_SESSION = re.compile(
    r"[?&;#](?:user_?)?(?:session|cookies?|jwt|passw(?:or)?d|pwd|pw|secret|api_?key|(?:access|auth|session)_?token"
    r"|credentials?|ssn|otp|iban)=[^&\s#]{3}",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[?&;#](?:token|auth|key|sid|session_?id)=[^&\s#]{4}", re.IGNORECASE)
_MAIL = re.compile(
    r"[?&;#][\w-]{0,20}(?:mail|user|login|who|owner)[\w-]{0,8}=[^&\s#@]{1,80}@[^&\s#@]{3}", re.IGNORECASE
)


def asks_for_words(rest: str, is_fetched: bool) -> bool:
    """Whether a value only says in words what is to be put there: `user_notes_here`, `full_conversation_text`.

    Links name their own things so as well: there it has to say that something is to be put there, or to be in capitals.
    """
    return any(
        _is_request(set(re.split(r"[_+-]", found[1].lower())), is_fetched or found[1].isupper())
        for found in _NAMED.finditer(rest)
    )


def _is_request(words: set[str], is_enough: bool) -> bool:
    if not words.isdisjoint(_PUT):
        return not words.isdisjoint(_HELD)
    return is_enough and not words.isdisjoint(_PRIVATE) and not words.isdisjoint(_OF_SOMEBODY | _ALL_OF_IT)


def tells_of_reader(address: str, is_frame: bool) -> bool:
    """Whether an address that nobody sees holds a session, or a token; in an image, a token beside a mail address."""
    plain = plain_address(address)
    if _SESSION.search(plain):
        return True
    return _TOKEN.search(plain) is not None and (is_frame or _MAIL.search(plain) is not None)
