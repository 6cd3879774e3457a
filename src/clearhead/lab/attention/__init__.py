"""What attention itself does: a few lines of mathematics each."""
