"""What is not held against anybody: readings with a rival, what was not surely read, what a scan may have lost."""
