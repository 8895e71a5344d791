"""Which hooks a call meets, in which order, and how long that may take: for gateways and for the command line."""
