// Passkeys: the page asks the server what the browser is to do, and sends what came of it with its form.

interface Answer {
  options?: Record<string, unknown>;
  problem?: string;
}

function bytes(text: unknown): ArrayBuffer {
  const plain = atob(String(text).replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0)).buffer;
}

function text(buffer: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function descriptors(list: unknown): PublicKeyCredentialDescriptor[] {
  return ((list ?? []) as Record<string, unknown>[]).map((one) => ({ ...one, id: bytes(one.id) }) as never);
}

async function sign(options: Record<string, unknown>): Promise<Record<string, string | undefined>> {
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: descriptors(options.allowCredentials),
  } as PublicKeyCredentialRequestOptions;
  const found = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const response = found.response as AuthenticatorAssertionResponse;
  return {
    id: found.id,
    clientDataJSON: text(response.clientDataJSON),
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
    userHandle: response.userHandle ? text(response.userHandle) : undefined,
  };
}

async function make(options: Record<string, unknown>): Promise<Record<string, string | undefined>> {
  const user = options.user as Record<string, unknown>;
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: descriptors(options.excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions;
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    id: made.id,
    clientDataJSON: text(response.clientDataJSON),
    attestationObject: text(response.attestationObject),
  };
}

async function ask(form: HTMLFormElement, purpose: string): Promise<void> {
  const fields = new FormData(form);
  fields.set("purpose", purpose);
  const answer = await fetch("/account/passkeys/options", { method: "POST", body: fields });
  const told = (await answer.json()) as Answer;
  if (!told.options) throw new Error(told.problem ?? "The server did not answer. Try again.");
  const { id, ...response } = await (purpose === "sign-in" ? sign(told.options) : make(told.options));
  const credential = form.elements.namedItem("credential") as HTMLInputElement;
  credential.value = JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} });
  form.submit();
}

/** The forms for passkeys are there where the browser knows them. */
export function passkeys(): void {
  if (typeof PublicKeyCredential === "undefined") return;
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const wrong = form.querySelector(".wrong");
      if (wrong) wrong.textContent = "";
      ask(form, form.dataset.passkey ?? "").catch((error: unknown) => {
        const refused = error instanceof DOMException;
        if (wrong) wrong.textContent = refused ? "Nothing came of it. Try again." : (error as Error).message;
      });
    });
  }
}
