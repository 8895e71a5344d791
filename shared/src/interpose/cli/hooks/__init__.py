"""`interpose hooks`: the registry in an operator's hand. Reading is one room, changing another."""

import typer

from interpose.cli.commands import HookCommands
from interpose.cli.hooks import changing, reading

EPILOG = "Example:\n\n  interpose hooks list"

app = typer.Typer(cls=HookCommands, no_args_is_help=True, help="Look at the registry of hooks, and change it.")
app.command("apply", epilog=changing.APPLY_EPILOG)(changing.apply)
app.command("list", epilog=reading.LIST_EPILOG)(reading.list_hooks)
app.command("show", epilog=reading.SHOW_EPILOG)(reading.show)
app.command("history", epilog=reading.HISTORY_EPILOG)(reading.history)
app.command("rollback", epilog=changing.ROLLBACK_EPILOG)(changing.rollback)
app.command("remove", epilog=changing.REMOVE_EPILOG)(changing.remove)
app.command("disable", epilog=changing.DISABLE_EPILOG)(changing.disable)
app.command("enable", epilog=changing.ENABLE_EPILOG)(changing.enable)
app.command("export", epilog=reading.EXPORT_EPILOG)(reading.export)
