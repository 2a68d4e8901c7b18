"""The process: Ctrl-C, processes in processes, extras, settings."""
