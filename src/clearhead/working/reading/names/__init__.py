"""What steps are called: letters, formulas, words of many languages."""
