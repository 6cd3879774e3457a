"""How weights are moved: batches, streams, the loop, optimisers, schedules, checkpoints."""
