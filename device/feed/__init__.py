"""What a table tells other processes: one Unix socket, off until its owner turns it on."""
