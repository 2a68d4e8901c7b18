"""One plan runs on the simulator or on the kernel, and says beforehand what it costs."""


def __getattr__(name: str) -> object:
    """Import `linux`, a public name of ackclock, on first use."""
    if name != "linux":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    import importlib

    return importlib.import_module("ackclock.engine.linux")
