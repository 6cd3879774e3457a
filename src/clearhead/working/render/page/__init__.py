"""What a page says about a working, before any format: its layout, numerals, equations, boxes and pictures."""
