"""Dask's client: how it is made, and what its many ways to fail mean."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.cluster.scheduler import ClusterError, Scheduler
from latconf_core.files import has_file

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

CONNECT_SECONDS = 5
MISSING = 'clusters need the package distributed, which is not installed; pip install "latconf[cluster]"'


def make_client(scheduler: Scheduler) -> Client:
    """A client of a scheduler that answers; ClusterError where none does."""
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(MISSING) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters of it is said in our own sentences
    security = _security(scheduler)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of versions: they are compared here, and refused
        try:
            return Client(
                scheduler.address, timeout=CONNECT_SECONDS, security=security, set_as_default=False, name="latconf"
            )
        except Exception as error:  # sockets, TLS and whatever answers at the wrong port fail in many ways
            raise ClusterError(_unreachable(scheduler)) from error


def _unreachable(scheduler: Scheduler) -> str:
    tls = " and the three files are those of this cluster" if scheduler.is_encrypted else ""
    return (
        f"no scheduler answers at {scheduler.address}; check that `dask scheduler` runs there, that the port "
        f"is open{tls}, or omit the address to use this computer"
    )


def _security(scheduler: Scheduler) -> Security | None:
    from distributed.security import Security

    if not scheduler.is_encrypted:
        return None
    given = [name for name in scheduler.files if name is not None]
    for name in given:
        if not has_file(Path(name)):
            raise ClusterError(f"the file {name} is not there; an encrypted connection needs it")
    if not given:
        return Security(require_encryption=True)  # the files that Dask's configuration names
    ca_file, cert_file, key_file = given
    return Security(tls_ca_file=ca_file, tls_client_cert=cert_file, tls_client_key=key_file, require_encryption=True)
