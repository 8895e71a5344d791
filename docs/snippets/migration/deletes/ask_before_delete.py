"""Whatever deletes needs a person's yes."""

from interpose import Ask, Hook, Verdict, require_approval

hook = Hook("ask-before-delete")


@hook.before("mcp__files__delete_*")
def question(ask: Ask) -> Verdict:
    """Say what would be deleted, and let a person decide."""
    return require_approval(f"{ask.canonical_tool} would delete {ask.parameters.get('path')}")
