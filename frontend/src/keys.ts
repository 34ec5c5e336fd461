// Single keys press what carries them: data-key on a button or a choice.
const OFF = "sf_keys_off";

const on = (): boolean => localStorage.getItem(OFF) === null;

function visible(element: HTMLElement): boolean {
  return element.checkVisibility?.() ?? element.offsetParent !== null;
}

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches("textarea, select, input:not([type=radio]):not([type=checkbox])") || target.isContentEditable;
}

export function announceKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || typing(event.target)) return;
    if (event.key === "?") {
      const list = document.getElementById("pop-keys") as HTMLDetailsElement | null;
      if (list) list.open = !list.open;
      return;
    }
    if (!on() || event.key.length !== 1) return;
    const key = CSS.escape(event.key.toLowerCase());
    const found = [...document.querySelectorAll<HTMLElement>(`#live [data-key="${key}"]`)].filter(
      (element) => visible(element) && !element.matches(":disabled"),
    );
    // A key that stands for several like cards goes from one to the next.
    const at = found.findIndex((element) => element instanceof HTMLInputElement && element.checked);
    const next = found[(at + 1) % found.length];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.click();
  });
  document.addEventListener("change", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || !box.matches("[data-keys-on]")) return;
    if (box.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  });
  const box = document.querySelector<HTMLInputElement>("[data-keys-on]");
  if (box) box.checked = on();
}
