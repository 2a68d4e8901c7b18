from plain_hosts import linux_hosts, plain_hosts

__all__ = ["linux_hosts", "plain_hosts"]
