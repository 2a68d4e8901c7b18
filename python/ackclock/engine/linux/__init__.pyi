from .capacity import (
    check_capacity as check_capacity,
    most_packets_per_second as most_packets_per_second,
)
from .links import kernel_links as kernel_links, remarks as remarks
from .machine import (
    Kernel as Kernel,
    LinuxError as LinuxError,
    kernel as kernel,
    obstacle as obstacle,
    require_namespaces as require_namespaces,
)
from .plan import LinuxPlan as LinuxPlan, linux_plan as linux_plan
from .running import run_on_linux as run_on_linux
