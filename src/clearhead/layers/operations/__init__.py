"""Operations on tensors that are no layers, by their shapes, one family a file."""
