"""What an expression of a source can stand for: sizes, shapes, parts of a net, or something that is not known."""
