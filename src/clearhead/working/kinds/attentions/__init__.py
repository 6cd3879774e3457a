"""What the kinds attention and decoder share: options, inputs, and the steps of each head."""
