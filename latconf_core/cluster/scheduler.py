"""Where a cluster's scheduler is found, and the files that prove who talks to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from latconf_core.errors import OptionError

EXAMPLE = "tcp://192.168.0.10:8786"
_ADDRESS = re.compile(r"(?P<protocol>[a-z]+)://(?P<host>\[[0-9a-fA-F:.%]+\]|[^\s:/\[\]]+):(?P<port>[0-9]{1,5})")
LARGEST_PORT = 65_535


class ClusterError(OptionError):
    """A cluster that cannot be used: not there, of other versions, or lost."""


@dataclass(frozen=True)
class Scheduler:
    """The address of a Dask scheduler.

    address : tcp://HOST:PORT, or tls://HOST:PORT for a connection that is encrypted
    ca_file, cert_file, key_file : PEM files for tls; where none is given, those of Dask's own configuration are used
    """

    address: str
    ca_file: str | None = None
    cert_file: str | None = None
    key_file: str | None = None

    def __post_init__(self) -> None:
        match = _ADDRESS.fullmatch(self.address)
        if match is None or match["protocol"] not in ("tcp", "tls") or not 0 < int(match["port"]) <= LARGEST_PORT:
            raise ClusterError(
                f"{self.address!r} is not a scheduler address; write it as {EXAMPLE}, as `dask scheduler` prints it"
            )
        self._check_files(match["protocol"])

    def _check_files(self, protocol: str) -> None:
        n_given = sum(name is not None for name in self.files)
        if n_given and protocol != "tls":
            raise ClusterError("certificates are for encrypted connections; write the address as tls://HOST:PORT")
        if n_given not in (0, len(self.files)):
            raise ClusterError("an encrypted connection needs three files: the authority's, your certificate, your key")

    @property
    def files(self) -> tuple[str | None, str | None, str | None]:
        """The authority's certificate, one's own, and its key."""
        return self.ca_file, self.cert_file, self.key_file

    @property
    def is_encrypted(self) -> bool:
        return self.address.startswith("tls://")
