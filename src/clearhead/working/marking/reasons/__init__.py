"""What made a wrong number: slips of whole steps and inside single cells."""
