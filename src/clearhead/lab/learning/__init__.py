"""How gradients are made, carried and used."""
