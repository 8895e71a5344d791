"""The doctor: everything that must hold for a rule to be enforced, asked one thing after another, with remedies."""
