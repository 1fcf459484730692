"""Running under systemd: readiness, watchdog, power switch."""
