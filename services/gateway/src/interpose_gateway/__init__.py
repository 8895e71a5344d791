"""The gateway: catches every tool call before it runs and every response before the agent sees it."""
