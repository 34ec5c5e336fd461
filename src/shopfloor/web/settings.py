"""How the server is run. Every field has a default that suits one computer and a few friends."""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass, fields
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Final

from shopfloor.tables.checks import name_key
from shopfloor.web.notices.guard import networks
from shopfloor.web.notices.mail import MailServer

FIRST_PORT: Final = 8000


class BadSetting(ValueError):
    """A setting that cannot be used; the message names it and what would be right."""


YES: Final = ("1", "yes", "true", "on")
NO: Final = ("", "0", "no", "false", "off")


def _read(name: str, kind: str, text: str) -> object:
    """A variable of the environment. Raises BadSetting."""
    if kind == "bool":
        if text.lower() not in (*YES, *NO):
            raise BadSetting(f"{name}: yes or no, not '{text}'")
        return text.lower() in YES
    try:
        return float(text) if "float" in kind else int(text) if "int" in kind else text
    except ValueError:
        raise BadSetting(f"{name}: a number, not '{text}'") from None


def data_folder() -> Path:
    """Where programs keep their data on this system, in a folder of our own (it need not exist yet)."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Shopfloor"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Shopfloor"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "shopfloor"


@dataclass(frozen=True)
class Settings:
    """What can be set for a server.

    host: the address to listen at; 0.0.0.0 lets other computers in.
    port: 0 takes any free port; None takes 8000 or the next free one after it.
    database: a file for SQLite (sqlite:///file too), or a URL such as postgresql://...; None is shopfloor.db in
      `data_folder()`.
    base_url: the address that people know the server by, for links and secure cookies; empty: as it is asked for.
    secret: signs the forms; empty: one is made once and kept beside the database file, or in the database where it is
      given by a URL.
    workers: processes in which computer players think; 0: they think elsewhere, on the same database.
    thinking_processes: in each of these, how many processes think about one decision, where the level can make use of
      several.
    pace: seconds they take at least for a move, so that people can follow.
    budget: the most seconds that a level may think about
      a move, where it would think longer.
    tables_a_minute: how many tables one address may open in a minute.
    tries_a_minute: how many links to seats one address may try in a minute. changes_a_minute: how many requests that
      change something it may send. 0: any number.
    sign_ins_a_minute: how often one address may try to sign in or up in a minute, and how often in ten minutes
      anybody may try to sign in under one name.
    admins: the names of administrators' accounts, with commas between them; each has to exist before it is named here.
    metrics: the token with which /metrics may be read; empty: it is closed.
    sites: at how many tables things may be in motion at once, where something is done by hand.
    keep_alive: seconds of silence after which a stream says that it is still there.
    webhooks: may players have notices sent to addresses of theirs? webhook_networks: networks, separated by commas,
      that these (and push services) may lie in though they are private.
    smtp: the mail server that takes notices, as smtp://user:password@host:587, or smtps:// where TLS comes first.
    mail_from: whom mails come from. Both, and base_url, are needed for notices by mail.
    push: whom push services can turn to, as mailto:you@example.org or https://...; empty: no notices by web push.
    notice_delay: seconds for which a notice waits, since decisions are taken back or follow soon.
    """

    host: str = "127.0.0.1"
    port: int | None = None
    database: str | None = None
    base_url: str = ""
    secret: str = ""
    workers: int = 1
    thinking_processes: int = 1
    pace: float = 0.8
    budget: float = 5.0
    tables_a_minute: int = 60
    tries_a_minute: int = 60
    changes_a_minute: int = 3000
    sign_ins_a_minute: int = 20
    admins: str = ""
    metrics: str = ""
    sites: int = 16
    keep_alive: float = 15.0
    webhooks: bool = False
    webhook_networks: str = ""
    smtp: str = ""
    mail_from: str = ""
    push: str = ""
    notice_delay: float = 3.0

    def __post_init__(self) -> None:
        if self.port is not None and not 0 <= self.port <= 65535:
            raise BadSetting(f"port: a number from 0 to 65535, not {self.port}")
        if self.workers < 0:
            raise BadSetting(f"workers: at least 0, not {self.workers}")
        if self.workers == 0 and not self.shared:
            raise BadSetting("workers: at least 1, since nobody else thinks for the tables in a file")
        if self.thinking_processes < 1:
            raise BadSetting(f"thinking_processes: at least 1, not {self.thinking_processes}")
        if self.pace < 0:
            raise BadSetting(f"pace: 0 seconds or more, not {self.pace}")
        if self.budget <= 0:
            raise BadSetting(f"budget: more than 0 seconds, not {self.budget}")
        for name in ("tables_a_minute", "tries_a_minute", "changes_a_minute", "sign_ins_a_minute"):
            if getattr(self, name) < 0:
                raise BadSetting(f"{name}: 0 (any number) or more, not {getattr(self, name)}")
        if self.metrics and len(self.metrics) < 16:
            raise BadSetting("metrics: a token of at least 16 characters")
        if self.base_url and not self.base_url.startswith(("http://", "https://")):
            raise BadSetting(f"base_url: begins with http:// or https://, not '{self.base_url}'")
        self._check_notices()

    def _check_notices(self) -> None:
        if self.notice_delay < 0:
            raise BadSetting(f"notice_delay: 0 seconds or more, not {self.notice_delay}")
        try:
            networks(self.webhook_networks)
        except ValueError as error:
            raise BadSetting(f"webhook_networks: such as 192.168.1.0/24, separated by commas ({error})") from None
        if self.push and not self.push.startswith(("mailto:", "https://")):
            raise BadSetting("push: whom push services can turn to, as mailto:you@example.org or https://...")
        if self.push and importlib.util.find_spec("http_ece") is None:
            raise BadSetting("push: web push needs its libraries: pip install 'shopfloor[notices]'")
        if not self.smtp:
            return
        try:
            MailServer.from_url(self.smtp)
        except ValueError:  # without its text: it may hold the password
            raise BadSetting("smtp: smtp://user:password@host:587, or smtps:// where TLS comes first") from None
        if "@" not in parseaddr(self.mail_from)[1]:
            raise BadSetting("mail_from: whom mails come from, such as 'Shopfloor <play@example.org>'")
        if not self.base_url:
            raise BadSetting("base_url: mails need the address that people know the server by")

    @classmethod
    def from_environment(cls, **given: Any) -> Settings:
        """Settings from variables such as SHOPFLOOR_PORT; what is `given` and not None goes first.

        Raises BadSetting for a variable that is not a number where one is needed.
        """
        values: dict[str, Any] = {}
        for field in fields(cls):
            name = f"SHOPFLOOR_{field.name.upper()}"
            text = os.environ.get(name)
            if given.get(field.name) is not None:
                values[field.name] = given[field.name]
            elif text is not None:
                values[field.name] = _read(name, str(field.type), text)
        return cls(**values)

    @property
    def admin_names(self) -> frozenset[str]:
        """The administrators' names, as `checks.name_key` writes them."""
        return frozenset(name_key(name) for name in self.admins.split(",") if name.strip())

    @property
    def file(self) -> Path | None:
        """The SQLite file; None where `database` is another database's URL."""
        if self.database is None:
            return data_folder() / "shopfloor.db"
        named = self.database.removeprefix("sqlite:///")
        return None if "://" in named else Path(named).absolute()

    @property
    def url(self) -> str:
        """The database's URL."""
        return f"sqlite:///{self.file.as_posix()}" if self.file is not None else str(self.database)

    @property
    def shared(self) -> bool:
        """May several servers use the database at once?"""
        return self.url.startswith("postgresql")

    @property
    def secure(self) -> bool:
        """Do people reach the server by https only?"""
        return self.base_url.startswith("https://")
