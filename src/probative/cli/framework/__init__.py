"""What the commands are made of: groups of options, calls of verbs, the end of a command."""
