"""The operator's command line. One module for each command; heavy imports stay inside the commands."""
