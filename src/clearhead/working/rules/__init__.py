"""How a step's cells follow from what it needs: one family of rules a file."""
