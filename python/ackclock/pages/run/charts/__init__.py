"""Figures of the pages as plain data for the scripts that draw them; nothing is drawn here."""
