"""The folder where corpora are kept: what is known to be public, how it is fetched, what is there."""
