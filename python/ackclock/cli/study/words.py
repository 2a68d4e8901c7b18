"""Words that several commands have."""

__all__ = ["lasting"]


def lasting(seconds: float) -> str:
    """A time that is not known well: `40 s`, `15 min`, `2 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds)):g} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
