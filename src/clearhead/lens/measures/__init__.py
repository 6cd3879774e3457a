"""What heads do in numbers, what they look like, and what the model would have guessed on the way."""
