"""How sure an answer is: calibration, when to say that one does not know, whether promises are kept."""
