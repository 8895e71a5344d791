"""How the sanitizer's classifier is made: of orders to a model, and of honest sentences that look like them."""
