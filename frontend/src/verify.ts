// The reader's own browser computes the fingerprint of the seed.
export function verify(): void {
  const row = document.querySelector<HTMLElement>("[data-verify]");
  const seed = document.getElementById("seed")?.textContent?.trim();
  const promised = document.getElementById("commitment")?.textContent?.trim();
  if (!row || !seed || !promised) return;
  row.hidden = false;
  const says = row.querySelector<HTMLElement>("#own-says");
  const shown = row.querySelector<HTMLElement>("#own-hash");
  if (!says || !shown) return;
  if (!crypto.subtle) {
    says.textContent = "Browsers compute fingerprints only on pages that come over https, or from this very computer.";
    return;
  }
  const bytes = Uint8Array.from(seed.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  void crypto.subtle.digest("SHA-256", bytes).then((digest) => {
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const same = hex === promised;
    shown.textContent = hex;
    says.textContent = same ? "It is the fingerprint that was shown." : "It is not the fingerprint that was shown.";
    row.querySelector<HTMLElement>(same ? ".yes" : ".no")?.removeAttribute("hidden");
  });
}
