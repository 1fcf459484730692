"""Follow what changes from frame to frame."""
