"""The canonicalizer: says what each call is, whatever platform it comes from."""
