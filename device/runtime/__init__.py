"""The running table: main loop, session, camera worker."""
