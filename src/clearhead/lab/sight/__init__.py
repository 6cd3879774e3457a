"""What a net can see, and what seeing costs."""
