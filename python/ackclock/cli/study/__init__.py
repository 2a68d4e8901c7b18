"""The commands behind ``ackclock study``: running studies, and what else there is to do with one."""
