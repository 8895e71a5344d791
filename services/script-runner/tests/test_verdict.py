"""What each ending means: the table of DESIGN.md, section 3, "Script"."""

import pytest

from interpose.contracts.limits import REASON_CHARACTERS, SCRIPT_OUTPUT_BYTES
from interpose.contracts.verdict import Verdict
from interpose.contracts.words import Failure, VerdictKind
from interpose_script_runner.ending import Exited, Lost, NotSpawned, Signalled, TimedOut, TooMuchOutput
from interpose_script_runner.verdict import Broke, judge, readable

ALLOW = Verdict(verdict=VerdictKind.ALLOW)
OBJECT = b'{"content": "clean"}'


@pytest.mark.parametrize("stdout", [b"", b"log line\n", OBJECT, b"[1]", b"\xff"])
def test_exit_0_without_transform_allows(stdout):
    """A script that does not declare transform allows with exit 0, whatever it prints."""

    assert ALLOW == judge(Exited(0, stdout, b""), declares_transform=False)


@pytest.mark.parametrize("stdout", [b"", b" \n\t\r\n"])
def test_printing_nothing_allows(stdout):
    """A script that declares transform and prints only white space allows, unchanged."""

    assert ALLOW == judge(Exited(0, stdout, b"noise"), declares_transform=True)


def test_one_object_transforms():
    """A script that declares transform and prints one JSON object transforms into it."""
    expected = Verdict(verdict=VerdictKind.TRANSFORM, output={"content": "clean"})

    assert expected == judge(Exited(0, b"  " + OBJECT + b"\n", b""), declares_transform=True)


@pytest.mark.parametrize(
    "stdout",
    [
        b"[1]",
        b'"text"',
        b"null",
        b"done",
        OBJECT + OBJECT,
        OBJECT + b" done",
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
        b"\xff",
    ],
)
def test_other_output_is_malformed(stdout):
    """A script that declares transform and prints what is not one strict JSON object has given no verdict."""
    judged = judge(Exited(0, stdout, b""), declares_transform=True)

    assert isinstance(judged, Broke)
    assert Failure.MALFORMED_VERDICT == judged.failure
    assert "the script's output" in judged.reason


@pytest.mark.parametrize("declares_transform", [False, True])
@pytest.mark.parametrize("code", [*range(1, 126), *range(128, 256)])
def test_other_codes_reject(code, declares_transform):
    """Every exit code but 0, 126 and 127 refuses with stderr as the reason, whatever stands on stdout."""
    expected = Verdict(verdict=VerdictKind.REJECT, reason="text is not allowed")

    assert expected == judge(Exited(code, OBJECT, b"\n text is not allowed \n"), declares_transform=declares_transform)


@pytest.mark.parametrize("stderr", [b"", b" \n ", b"\x1b[31m\x1b[0m"])
def test_silent_rejection_names_its_code(stderr):
    """A refusal without a word says which code it was."""

    assert "exited with code 3" == judge(Exited(3, b"", stderr), declares_transform=False).reason


@pytest.mark.parametrize(
    ("ending", "failure", "reason"),
    [
        (Exited(126, b"", b""), Failure.HOOK_ERROR, "exited with code 126"),
        (Exited(127, b"", b"jq: not found"), Failure.HOOK_ERROR, "exited with code 127: jq: not found"),
        (Signalled(11, b""), Failure.HOOK_ERROR, "ended by signal 11"),
        (Signalled(6, b"assertion"), Failure.HOOK_ERROR, "ended by signal 6: assertion"),
        (NotSpawned("no such file"), Failure.HOOK_ERROR, "no such file"),
        (Lost("who knows"), Failure.HOOK_ERROR, "who knows"),
        (TimedOut(), Failure.DEADLINE_EXCEEDED, "the script did not end in time and was killed"),
        (TooMuchOutput("stdout"), Failure.MALFORMED_VERDICT, "the script printed more than 1024 KiB on stdout"),
    ],
)
@pytest.mark.parametrize("declares_transform", [False, True])
def test_no_verdict(ending, failure, reason, declares_transform):
    """What is neither a yes nor a no is a failure with its reason."""

    assert Broke(failure, reason) == judge(ending, declares_transform=declares_transform)


def test_output_may_be_as_large_as_the_limit():
    """An object of exactly the limit transforms; strictness counts the same bytes as the runner."""
    output = b'{"a": "' + b"x" * (SCRIPT_OUTPUT_BYTES - 9) + b'"}'
    judged = judge(Exited(0, output, b""), declares_transform=True)

    assert SCRIPT_OUTPUT_BYTES == len(output)
    assert VerdictKind.TRANSFORM == judged.verdict


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (b"two\r\nlines\tand a tab", "two\nlines\tand a tab"),
        (b"\x1b[1;31mred\x1b[0m", "red"),
        (b"a\x07b\x00c\x9bd", "a\ufffdb\ufffdc\ufffdd"),
        ("evil \u202etxt.exe".encode(), "evil \ufffdtxt.exe"),
        (b"caf\xe9", "caf\ufffd"),
        ("Grüße 日本 🙂".encode(), "Grüße 日本 🙂"),
    ],
)
def test_reasons_are_harmless_text(printed, expected):
    """A reason keeps its text and its lines, and loses whatever moves a cursor or hides text."""

    assert expected == readable(printed)


@pytest.mark.parametrize("length", [REASON_CHARACTERS, REASON_CHARACTERS + 1, 70_000])
@pytest.mark.parametrize("code", [1, 127])
def test_reasons_are_cut(length, code):
    """No reason is longer than the contract allows, and one that was cut shows it."""
    reason = judge(Exited(code, b"", b"x" * length), declares_transform=False).reason

    assert REASON_CHARACTERS == len(reason)
    assert reason.endswith("…") == (code == 127 or length > REASON_CHARACTERS)
