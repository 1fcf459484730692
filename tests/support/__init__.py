"""Helpers and fakes that several tests share."""
