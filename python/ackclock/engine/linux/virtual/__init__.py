"""The Linux kernel in virtual time: built once, booted as a process for each run.

A user-mode Linux (``ARCH=um``) whose clock jumps to the next event (``time-travel=inf-cpu``) needs
no root and no idle machine, and two runs of one seed are equal.
"""
