"""Characters without width that people's keyboards, translators and documentation leave behind; and what they spell."""

import pytest

from interpose_sanitizer.settings import Settings
from interpose_sanitizer.text import sanitize

LEFT_BEHIND = {
    "a soft hyphen in a table of characters": "254\t172\tAC\t¬\tNOT SIGN\n255\t173\tAD\t\u00ad\tSOFT HYPHEN",
    "breaks typed twice in Khmer": "ច្បាប់\u200bតម្រង\u200b\u200bបាន\u200bផ្គូផ្គង",
    "breaks typed three times in Thai": "หน้า\u200b\u200b\u200bแรก",
    "a joiner typed twice in Malayalam": "ഫോര്\u200d\u200dവേഡ് ചെയ്ത സന്ദേശം",
    "a Persian label that ends with a sign": '"Organi&zation:": "&سازمان:\u200c",',
    "where a long name may break": "37.4. administrable_role_\u200bauthorizations and a/\u200bb/\u200bc",
}


@pytest.mark.parametrize("text", LEFT_BEHIND.values(), ids=LEFT_BEHIND.keys())
def test_what_people_leave_behind_stays(text):
    """It stands where the writing needs such a character, or where nothing can be read from it."""
    assert sanitize(text, Settings()).text == text


HIDES = {
    "in a word": "ig\u200bnore",
    "two kinds in turns": "หน้า\u200b\u200c\u200bแรก",
    "a longer row": "หน้า" + "\u200b" * 4 + "แรก",
    "soft hyphens beside a blank": "one \u00ad\u00ad\u00ad two",
    "non-joiners behind Latin": "Hello:\u200c world",
    "joiners behind Latin": "a\u200d\u200db",
}


@pytest.mark.parametrize("text", HIDES.values(), ids=HIDES.keys())
def test_what_could_spell_something_goes(text):
    """Rows of several kinds, long rows, and where no letter needs one."""
    cleaned = sanitize(text, Settings()).text

    assert not {"\u200b", "\u200c", "\u200d", "\u00ad"} & set(cleaned)
