"""What a run is trained on: devices, processes, precision; weights copied to every process, or cut among them."""
