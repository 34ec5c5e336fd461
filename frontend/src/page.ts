// Small conveniences of all pages.
const root = document.documentElement;
const YEAR = 31536000;

/** Day or night shift: follows the system until the switch is used, then the cookie says. */
export function shift(): void {
  document.addEventListener("click", (event) => {
    if (!(event.target as Element).closest("[data-shift]")) return;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    document.cookie = `sf_theme=${root.dataset.theme}; path=/; max-age=${YEAR}; samesite=lax`;
  });
}

export function copyButtons(): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-copy]");
    const field = button && (document.getElementById(button.dataset.copy ?? "") as HTMLInputElement | null);
    if (!button || !field) return;
    field.select();
    const done = (): void => {
      const label = button.querySelector("span");
      if (!label) return;
      label.textContent = "Copied";
      setTimeout(() => (label.textContent = "Copy"), 2000);
    };
    if (navigator.clipboard) void navigator.clipboard.writeText(field.value).then(done);
    else if (document.execCommand("copy")) done();
  });
}

/** The name that one gave last stands in the field the next time. */
export function names(): void {
  const fill = (): void => {
    for (const field of document.querySelectorAll<HTMLInputElement>("input[data-name]")) {
      if (!field.value) field.value = localStorage.getItem("sf_name") ?? "";
    }
  };
  fill();
  document.addEventListener("htmx:after:swap", fill);
  document.addEventListener("submit", (event) => {
    const field = (event.target as Element).querySelector<HTMLInputElement>("input[data-name]");
    if (field?.value.trim()) localStorage.setItem("sf_name", field.value.trim());
  });
}

/** Menus and tips close by Escape, and by a click beside them. */
export function popovers(): void {
  const opened = (): HTMLDetailsElement[] => [
    ...document.querySelectorAll<HTMLDetailsElement>("details.pop[open], details.why[open]"),
  ];
  document.addEventListener("click", (event) => {
    for (const details of opened()) if (!details.contains(event.target as Node)) details.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const details of opened()) {
      const held = details.contains(document.activeElement);
      details.open = false;
      if (held) details.querySelector("summary")?.focus();
    }
  });
}

/** The phone's sheet: half open, open with the whole hand, or down to the sentence and the button. */
export function sheet(): void {
  const order = ["half", "open", "low"];
  document.addEventListener("click", (event) => {
    const handle = (event.target as Element).closest("[data-sheet-handle]");
    if (!handle) return;
    const next = order[(order.indexOf(root.dataset.sheet ?? "half") + 1) % order.length] ?? "half";
    root.dataset.sheet = next;
    handle.setAttribute("aria-expanded", String(next === "open"));
  });
  // The page ends above the sheet, however high it is.
  const watch = new ResizeObserver(() => {
    const dock = document.getElementById("dock");
    if (dock) root.style.setProperty("--sheet", `${dock.offsetHeight + 16}px`);
  });
  const observe = (): void => {
    watch.disconnect();
    const dock = document.getElementById("dock");
    if (dock) watch.observe(dock);
  };
  observe();
  document.addEventListener("htmx:after:swap", observe);
}

/** In a row that is too narrow for all of it, one thing stands in the middle. */
function middle(row: HTMLElement, one: HTMLElement, behavior: ScrollBehavior = "auto"): void {
  if (row.scrollWidth <= row.clientWidth + 4) return;
  const a = one.getBoundingClientRect();
  const b = row.getBoundingClientRect();
  row.scrollBy({ left: a.left - b.left - b.width / 2 + a.width / 2, behavior });
}

/** One's own place in a narrow row of players. */
export function ownPlace(): void {
  const own = document.querySelector<HTMLElement>(".players > [data-home]");
  if (own?.parentElement) middle(own.parentElement, own);
}

/** A box is taken off the shelf without loading the page anew; on a narrow shelf it stands in the middle. */
export function shelf(): void {
  const boxes = [...document.querySelectorAll<HTMLAnchorElement>("[data-box]")];
  const show = (behavior?: ScrollBehavior) => {
    const row = document.querySelector<HTMLElement>(".bxs");
    const box = row?.querySelector<HTMLElement>(".sel");
    if (row && box) middle(row, box, behavior);
  };
  for (const box of boxes) {
    box.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      for (const other of boxes) {
        other.parentElement?.classList.toggle("sel", other === box);
        if (other === box) other.setAttribute("aria-current", "true");
        else other.removeAttribute("aria-current");
      }
      const names = [...document.querySelectorAll<HTMLInputElement>("[data-name]")];
      const typed = names.find((field) => field.form && !field.form.hidden)?.value;
      for (const field of names) if (typed) field.value = typed;
      for (const form of document.querySelectorAll<HTMLFormElement>("[data-start]"))
        form.hidden = form.dataset.start !== box.dataset.box;
      history.replaceState(null, "", box.href);
      show(matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");
    });
  }
  show();
}
