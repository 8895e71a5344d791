"""The example hook: what it refuses, what it lets through."""

import importlib.util
from pathlib import Path

import pytest

from interpose import Ask
from interpose.contracts.words import Phase, VerdictKind

FILE = Path(__file__).parents[2] / "examples" / "no-force-push" / "no_force_push.py"


@pytest.fixture(scope="module")
def example():
    """The example as `interpose run` loads it: a file on its own."""
    spec = importlib.util.spec_from_file_location("no_force_push", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ask_for(parameters):
    return Ask(
        tool="Bash",
        parameters=parameters,
        phase=Phase.BEFORE,
        call_id="c1",
        revision=1,
        hook="no-force-push",
        ask_id="a1",
        canonical_tool="Bash",
        native={"tool": "Bash", "digest": "sha256:00"},
    )


@pytest.mark.parametrize(
    "command",
    [
        "git push -f",
        "git push --force origin main",
        "git push origin main --force-with-lease",
        "git push --force-with-lease=main:abc origin main",
        "git push --force-if-includes --force-with-lease",
        "git push --mirror backup",
        "git push origin +main",
        "git push origin +refs/heads/main:refs/heads/main",
        "git push -uf origin main",
        "git -C /srv/repo push -f",
        "git -c user.name=x push -f",
        "git -c alias.p='push -f' p",
        "cd repo && git push -f",
        "cd repo;git push -f",
        "(git push -f)",
        "echo $(git push -f)",
        "echo `git push -f`",
        "bash -c 'git push -f'",
        "GIT_TRACE=1 /usr/bin/git push -f",
        "git 'push' \"--force\"",
        'git pu"sh" -"f"',
        "git push \\\n  -f",
        "git push {-f,origin}",
        "git status\ngit push -f",
        "git push 'unbalanced -f",
    ],
)
async def test_refuses_forced_pushes(example, command):
    """A forced push is refused, however it is spelled."""
    verdict = await example.check(ask_for({"command": command}))

    assert (VerdictKind.REJECT, "force-push") == (verdict.verdict, verdict.code)


@pytest.mark.parametrize(
    "command",
    [
        "git push",
        "git push origin main",
        "git push -u origin feature/faster",
        "git push --follow-tags origin v1.0",
        "git push origin :gone",
        "rm -f lock && git push",
        "git clean -fd && git push",
        "git commit -am 'push harder'",
        "git log -p --format=oneline",
        "docker push -f image",
        "legit push -f",
        "",
    ],
)
async def test_allows_the_rest(example, command):
    """Pushing without force, forcing something else, and other commands are none of its business."""

    assert VerdictKind.ALLOW == (await example.check(ask_for({"command": command}))).verdict


async def test_allows_a_call_without_command(example):
    """A call without a command pushes nothing."""

    assert VerdictKind.ALLOW == (await example.check(ask_for({}))).verdict


@pytest.mark.parametrize("command", [None, 7, ["git", "push", "-f"], {"a": "git push"}])
async def test_breaks_on_what_is_no_text(example, command):
    """A command that is no text is not allowed: the hook breaks, which the worker answers as hook_error."""
    with pytest.raises(TypeError):
        await example.hook.answer(ask_for({"command": command}))


async def test_answers_as_a_hook(example):
    """The hook answers what its function answers."""
    verdict = await example.hook.answer(ask_for({"command": "git push -f"}))

    assert VerdictKind.REJECT == verdict.verdict


def test_is_short():
    """The whole hook is shorter than thirty lines, as the documents promise."""

    assert len(FILE.read_text().splitlines()) < 30
