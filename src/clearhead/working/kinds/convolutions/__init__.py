"""What the kind convolution has beyond sizes: the numbers themselves."""
