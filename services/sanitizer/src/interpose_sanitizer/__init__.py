"""The sanitizer."""
