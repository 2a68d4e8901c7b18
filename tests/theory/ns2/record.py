"""Records P1's losses in ns-2: `python tests/theory/ns2/record.py [--cos libcos.so]` writes p1.json beside this file.

It needs Debian's ns2 (2.35+dfsg-5). The plug-in is built from the sources that Debian's package is made of (its orig tarball,
with an autoconf.h that defines HAVE_INT64, HAVE_STL and the usual headers) and the packages tcl-dev, libotcl1-dev, libtclcl1-dev:

    g++ -O2 -shared -fPIC -fpermissive -w -DUSE_INTERP_RESULT -DNO_TK -DSTL_NAMESPACE=std -I/usr/include/tclcl \\
        -I/usr/include/tcl -Ins-2.35 $(find ns-2.35 -maxdepth 1 -type d | sed 's/^/-I/') cos.cc -o libcos.so
"""

import argparse
import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

HERE = Path(__file__).parent
CONNECTIONS = (1, 5, 10, 20, 40, 80, 100)
STAGGERS = (0.1, 1.0, 10.0)
SEEDS = range(1, 11)


def measure(cos: str, stagger: float, n: int, seed: int) -> dict[str, int]:
    """What one run of ns-2 counted."""
    command = ["ns", str(HERE / "p1.tcl"), "-n", str(n), "-seed", str(seed), "-stagger", str(stagger), "-cos", cos]
    found = re.findall(r"(\w+) (\d+)", subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    counted = {name: int(value) for name, value in found}
    if counted.pop("done") != n:
        raise RuntimeError(f"{' '.join(command)}: not all files arrived within 5000 s")
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cos", help="the plug-in, libcos.so; without it Reno alone is run")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    variants = {"reno": ""} | ({"cos+reno": str(Path(given.cos).resolve())} if given.cos else {})
    settings = list(product(variants, STAGGERS, CONNECTIONS))
    with ThreadPoolExecutor(given.jobs) as pool:
        runs = [[pool.submit(measure, variants[cc], stagger, n, seed) for seed in SEEDS] for cc, stagger, n in settings]
        points = [
            {
                "cc": cc,
                "stagger": stagger,
                "connections": n,
                **{key: [run.result()[key] for run in seeds] for key in ("drops", "timeouts", "again")},
            }
            for (cc, stagger, n), seeds in zip(settings, runs, strict=True)
        ]
    lines = ",\n    ".join(json.dumps(point) for point in points)
    text = f'{{\n  "engine": "ns-2.35, Debian 2.35+dfsg-5",\n  "seeds": {json.dumps(list(SEEDS))},\n  "points": [\n    {lines}\n  ]\n}}\n'
    (HERE / "p1.json").write_text(text)


if __name__ == "__main__":
    main()
