"""Pictures of digits: pooling, convolution, compression."""
