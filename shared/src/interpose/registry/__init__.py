"""The registry in the KV bucket `HOOKS`: strict reading, compare-and-set, what a change means."""
