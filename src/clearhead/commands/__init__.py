"""One file a command: parse, call one function of a room, print what a renderer returned. Rooms are imported when called."""
