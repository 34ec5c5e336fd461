"""Passkeys: what a browser is asked to make or to sign, and whether the answer is right. By the library `webauthn`."""

from __future__ import annotations

import hashlib
import ipaddress
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import (
    options_to_json_dict,
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from shopfloor.tables import checks
from shopfloor.tables.accounts import Account, Accounts, Challenge, Passkey, account_name, new_id
from shopfloor.tables.errors import AccountError

SIGN_IN: Final = "sign-in"
SIGN_UP: Final = "sign-up"
ADD: Final = "add"


class Site:
    """The site as passkeys know it. base_url: the address that people use."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(base_url)
        self.host = parts.hostname or ""
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.possible = _has_name(self.host) and (parts.scheme == "https" or self.host == "localhost")
        """Browsers have passkeys only for sites with a name, by https, and for this very machine."""


def _has_name(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return bool(host)
    return False


def asked(accounts: Accounts, site: Site, purpose: str, account: Account | None, name: str) -> dict[str, Any]:
    """What the browser's `navigator.credentials` is to be called with, as JSON. Raises AccountError."""
    if not site.possible:
        raise AccountError("PASSKEY_FAILED", why="this site has no name, or is not reached by https")
    if purpose == SIGN_IN:
        wanted = webauthn.generate_authentication_options(
            rp_id=site.host,
            challenge=accounts.challenge(SIGN_IN),
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return options_to_json_dict(wanted)
    if purpose == ADD and account is not None:
        called, account_id = account.name, account.id
        known = [PublicKeyCredentialDescriptor(id=key.credential) for key in accounts.passkeys(account)]
    elif purpose == SIGN_UP:
        called, account_id, known = account_name(name), new_id(), []
        accounts.free(called)
    else:
        raise AccountError("NOT_SIGNED_IN")
    made = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name="Shopfloor",
        user_id=bytes.fromhex(account_id),
        user_name=called,
        user_display_name=called,
        challenge=accounts.challenge(purpose, account_id, called),
        exclude_credentials=known,
        # The passkey is found without a name, and the device makes sure of its owner.
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            require_resident_key=True,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
    )
    return options_to_json_dict(made)


def made(accounts: Accounts, site: Site, purpose: str, credential: str, label: str) -> tuple[Challenge, Passkey]:
    """A new passkey, and what it was asked for. Raises PASSKEY_FAILED."""
    with _refusing():
        parsed = parse_registration_credential_json(credential)
        challenge, asked_for = _challenge(accounts, parsed.response.client_data_json, purpose)
        found = webauthn.verify_registration_response(
            credential=parsed,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    key = Passkey(
        id=_name(found.credential_id),
        account_id=asked_for.account_id or "",
        credential=found.credential_id,
        public_key=found.credential_public_key,
        uses=found.sign_count,
        label=checks.name(label) if label.strip() else "Passkey",
        created_at=time.time(),
        used_at=None,
    )
    return asked_for, key


def signed(accounts: Accounts, site: Site, credential: str) -> Account:
    """Whose passkey has signed. Raises PASSKEY_FAILED."""
    with _refusing():
        parsed = parse_authentication_credential_json(credential)
        challenge, _ = _challenge(accounts, parsed.response.client_data_json, SIGN_IN)
        known = accounts.passkey(_name(parsed.raw_id))
        if known is None:
            raise AccountError("PASSKEY_FAILED", why="nobody here has it, or has it no more")
        account, key = known
        handle = parsed.response.user_handle
        if handle is not None and handle != bytes.fromhex(account.id):
            raise AccountError("PASSKEY_FAILED", why="it is another account's")
        found = webauthn.verify_authentication_response(
            credential=parsed,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=key.public_key,
            credential_current_sign_count=key.uses,
            require_user_verification=True,
        )
    accounts.passkey_used(key, found.new_sign_count)
    return account


def _challenge(accounts: Accounts, client_data: bytes, purpose: str) -> tuple[bytes, Challenge]:
    challenge = parse_client_data_json(client_data).challenge
    found = accounts.answered(challenge, purpose)
    if found is None:
        raise AccountError("PASSKEY_FAILED", why="it answers to nothing that was asked in the last five minutes")
    return challenge, found


def _name(credential_id: bytes) -> str:
    return hashlib.sha256(credential_id).hexdigest()


@contextmanager
def _refusing() -> Iterator[None]:
    """Whatever is wrong with what a browser has sent is told as one thing."""
    try:
        yield
    except (WebAuthnException, ValueError, TypeError, KeyError) as error:
        raise AccountError("PASSKEY_FAILED", why="what came does not hold") from error
