"""What a call is: its tool, its action, its kind. Pure functions, the same for the gateway and for every service."""
