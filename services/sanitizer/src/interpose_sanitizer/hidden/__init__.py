"""Characters that nobody sees: which of them a text needs, and which only carry something past its reader."""
