"""HTTP upstreams as tools: a call becomes one request behind the address guard, and an answer becomes a response.

`request` builds, `wire` connects through `connecting` and its `guard`, `exchange` follows redirects, `answer` reads,
`executor` says how it ended. docs/adr/0011-http-tools.md has the reasons.
"""
