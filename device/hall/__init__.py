"""Many tables in one hall: tables publish to an MQTT broker, halls listen and keep a ranking."""
