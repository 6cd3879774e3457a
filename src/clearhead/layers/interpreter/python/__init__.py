"""Python as nets use it: plain values, their operators, functions and methods."""
