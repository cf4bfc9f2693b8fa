"""Rules that come over the network: checked and tried in a process of their own."""
