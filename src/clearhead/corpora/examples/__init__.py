"""What a model is shown: one way of making examples a file."""
