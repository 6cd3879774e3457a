"""What matters: heads, blocks and the phrase memory taken away, sharpened, or brought in from another text."""
