"""Shell commands before they run, what they printed, and installs."""

from interpose import Ask, Hook, Verdict, allow, reject, require_approval, transform

hook = Hook("guard")


@hook.before("Bash")
def command(ask: Ask) -> Verdict:
    """No removal, no force, and nobody is root without a person's yes."""
    typed = ask.parameters.get("command", "")
    if typed.startswith("rm "):
        return reject("nothing is removed here", code="no-rm")
    if typed.startswith("sudo "):
        return require_approval(f"run as root: {typed}")
    return transform({**ask.parameters, "command": typed.replace(" --force", "")})


@hook.after("Bash")
def output(ask: Ask) -> Verdict:
    """Whatever was printed, the key is not."""
    return transform({**ask.response, "content": str(ask.response.get("content")).replace("s3cret", "[key]")})


@hook.before("install")
def package(ask: Ask) -> Verdict:
    """One package is known."""
    return allow() if ask.parameters["name"] == "left-pad" else reject("nobody looked at this package")
