"""Small commands of one shape: captures, tc, sizes of buffers, standard tests, runs, doctor."""


def __getattr__(name: str) -> object:
    """Import `measuring`, a public name of ackclock, on first use."""
    if name != "measuring":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    import importlib

    return importlib.import_module("ackclock.tools.measuring")
