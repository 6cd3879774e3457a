"""Numbers as people write them: digits, fractions, powers, sums."""
