"""`interpose clients`: who may call. Reading is one room, changing another."""

import typer

from interpose.cli.clients import changing, listing

EPILOG = "Example:\n\n  interpose clients add coder --scope evaluate --platform claude"

app = typer.Typer(no_args_is_help=True, help="Look at who may call, let somebody in, change a token, end it.")
app.command("add", epilog=changing.ADD_EPILOG)(changing.add)
app.command("list", epilog=listing.EPILOG)(listing.list_clients)
app.command("rotate", epilog=changing.ROTATE_EPILOG)(changing.rotate)
app.command("revoke", epilog=changing.REVOKE_EPILOG)(changing.revoke)
