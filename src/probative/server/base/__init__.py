"""What every part of the server stands on: options, errors, security."""
