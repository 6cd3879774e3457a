"""How surprised a run is by a text: figures that can be compared, and the reasons."""
