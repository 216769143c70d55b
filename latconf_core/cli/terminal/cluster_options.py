"""The options that name a cluster, of every sub-command that can use one."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from latconf_core.errors import OptionError

if TYPE_CHECKING:
    from latconf_core.cluster.scheduler import Scheduler

THIS_COMPUTER = ("tcp://127.", "tcp://localhost:", "tcp://[::1]")
FILES = {
    "--tls-ca": "the CA certificate (PEM)",
    "--tls-cert": "your certificate (PEM)",
    "--tls-key": "the private key of your certificate (PEM)",
}


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """Add --scheduler, and the files for encrypted connections."""
    group = parser.add_argument_group(
        "beyond this computer",
        "Use it only in networks you trust: anyone who can reach a scheduler can run programs on its workers.",
    )
    group.add_argument(
        "--scheduler", metavar="ADDRESS", help="send the work to this Dask scheduler, such as tcp://192.168.0.10:8786"
    )
    for flag, said in FILES.items():
        group.add_argument(flag, metavar="FILE", help=f"for tls://…: {said}")


def read_scheduler(args: argparse.Namespace) -> Scheduler | None:
    """The scheduler that the arguments name; None for this computer."""
    given = [flag for flag in FILES if getattr(args, flag.strip("-").replace("-", "_")) is not None]
    if args.scheduler is None:
        if given:
            raise OptionError(f"{given[0]} needs a scheduler; give it with --scheduler tls://HOST:PORT")
        return None
    from latconf_core.cluster.scheduler import Scheduler

    scheduler = Scheduler(args.scheduler, args.tls_ca, args.tls_cert, args.tls_key)
    if not scheduler.is_encrypted and not scheduler.address.startswith(THIS_COMPUTER):
        warning = f"the connection to {scheduler.address} is not encrypted; use it only in a network that you trust"
        print(f"latconf: {warning}", file=sys.stderr)
    return scheduler
