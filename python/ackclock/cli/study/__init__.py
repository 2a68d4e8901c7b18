"""The commands behind ``ackclock study``."""
