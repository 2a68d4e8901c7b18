from plain_hosts import plain_hosts

__all__ = ["plain_hosts"]
