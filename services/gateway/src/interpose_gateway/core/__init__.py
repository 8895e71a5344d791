"""The decision and nothing else: plan, ask, combine, decide. Knows no broker and no HTTP (checked by import-linter)."""
