"""``python -m ackclock`` is ``ackclock``."""

from ackclock.cli import main

if __name__ == "__main__":
    main()
