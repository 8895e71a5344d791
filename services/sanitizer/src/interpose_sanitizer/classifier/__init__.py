"""A linear classifier over the n-grams of sentences: it knows orders to a model in words that no rule foresees."""
