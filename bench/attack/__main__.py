"""Attack a service in every way that is known, and print one table: `make attack`.

`make attack ARGS="--only pings,fragments"` runs some attacks; `--connections 1,20` and `--seconds 10` change how;
`--list` says what each does. The exit code is 1 if a bound did not hold.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from time import monotonic

from bench.attack.catalogue import ATTACKS, find
from bench.attack.report import broken_bounds, heading, row
from bench.attack.run import attack_service
from bench.peers.run import machine, raise_file_limit


def main() -> None:
    """Run the attacks that were chosen."""
    names = [attack.name for attack in ATTACKS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(names), help="names of attacks, with commas")
    parser.add_argument("--connections", default="", help="numbers of connections, with commas")
    parser.add_argument("--seconds", type=float, default=0.0, help="length of each attack")
    parser.add_argument("--list", action="store_true", help="list the attacks")
    chosen = parser.parse_args()
    if chosen.list:
        for attack in ATTACKS:
            print(f"{attack.name:20} {attack.what}")
        return
    wanted = chosen.only.split(",")
    unknown = [name for name in wanted if name not in names]
    if unknown:
        parser.error(f"there is no attack {', '.join(unknown)}: see --list")
    raise_file_limit()
    with contextlib.suppress(PermissionError):
        os.nice(-5)  # what is measured should not depend on how busy the machine is with the attack itself
    command = " ".join(("python -m bench.attack", *sys.argv[1:]))
    print(f"`{command}`, {machine()} at the start\n\n{heading()}", flush=True)
    began, done, failed = monotonic(), 0, 0
    for attack in map(find, wanted):
        counts = [int(number) for number in chosen.connections.split(",") if number] or attack.connections
        for connections in counts:
            outcome = attack_service(attack, connections, chosen.seconds or attack.seconds)
            print(row(outcome), flush=True)
            done += 1
            failed += bool(broken_bounds(outcome))
    minutes = (monotonic() - began) / 60
    print(f"\n{done} rows in {minutes:.1f} minutes, load average {os.getloadavg()[0]:.1f} at the end")
    if failed:
        sys.exit(f"{failed} attacks exceeded a bound")


if __name__ == "__main__":
    main()
