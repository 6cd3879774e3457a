"""What a run is to be: its recipe, the settings put into it, what it learns and from which corpus."""
