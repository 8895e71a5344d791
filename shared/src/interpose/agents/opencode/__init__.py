"""Interpose in OpenCode: a plugin's file in its folder, its configuration beside it, and a canary through both.

`interpose.js` is the plugin itself; `deploy/agents/opencode` links to it.
"""
