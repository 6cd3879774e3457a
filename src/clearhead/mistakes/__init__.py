"""What a classifier got wrong on what its run held out, and what pushed it there."""
