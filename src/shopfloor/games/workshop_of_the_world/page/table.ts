// The map: closer and farther, moved by finger, mouse, wheel and keys; a sentence about what one points at.
// Everything else works without this.
const root = document.documentElement;
const MOST = 4;
let zoom = 1;
/** The decision for which the map was last moved to the place that matters. */
let centred = "";
/** Which networks are shown: the server does not know. */
const shown = new Set<string>();

const port = (): HTMLElement | null => document.getElementById("mapscroll");
const box = (): HTMLElement | null => document.getElementById("mapbox");

function least(): number {
  // On a phone the map begins larger than the window; it can be made as small as that.
  const view = port();
  const sheet = box();
  if (!view || !sheet) return 1;
  return Math.min(1, view.clientWidth / (sheet.offsetWidth / zoom));
}

/** Zoom so that the point of the map under (x, y) of the window stays where it is. */
function zoomTo(wanted: number, x?: number, y?: number): void {
  const view = port();
  const sheet = box();
  if (!view || !sheet) return;
  const frame = view.getBoundingClientRect();
  const atX = (x ?? frame.left + frame.width / 2) - frame.left;
  const atY = (y ?? frame.top + frame.height / 2) - frame.top;
  const across = (view.scrollLeft + atX) / sheet.offsetWidth;
  const down = (view.scrollTop + atY) / sheet.offsetHeight;
  zoom = Math.max(least(), Math.min(MOST, wanted));
  if (Math.abs(zoom - 1) < 0.02) zoom = 1;
  root.style.setProperty("--zoom", String(zoom));
  root.classList.toggle("zoomed", zoom > 1);
  view.scrollLeft = across * sheet.offsetWidth - atX;
  view.scrollTop = down * sheet.offsetHeight - atY;
  grabbable();
}

function grabbable(): void {
  const view = port();
  if (view) view.classList.toggle("grab", view.scrollWidth > view.clientWidth + 2 || view.scrollHeight > view.clientHeight + 2);
}

/** Where a decision is asked for, the place that it is about comes into the middle, if the map does not fit. */
function centre(): void {
  const view = port();
  const sheet = box();
  if (!view || !sheet) return;
  grabbable();
  const decision = `${sheet.dataset.decision ?? ""}/${sheet.dataset.home ?? ""}`;
  if (!sheet.dataset.decision && centred) return;
  if (decision === centred) return;
  centred = decision;
  const [x, y] = (sheet.dataset.home ?? "480 600").split(" ").map(Number);
  if (x === undefined || y === undefined) return;
  view.scrollLeft = ((x + 28) / 926) * sheet.offsetWidth - view.clientWidth / 2;
  view.scrollTop = ((y + 28) / 1056) * sheet.offsetHeight - view.clientHeight / 2;
}

// ---- fingers and mouse

let spread = 0;
let before = 1;
const gap = (touches: TouchList): number => {
  const [a, b] = [touches[0], touches[1]];
  return a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
};
document.addEventListener(
  "touchstart",
  (event) => {
    if (event.touches.length !== 2 || !(event.target as Element).closest?.("#mapscroll")) return;
    spread = gap(event.touches);
    before = zoom;
  },
  { passive: true },
);
document.addEventListener(
  "touchmove",
  (event) => {
    if (event.touches.length !== 2 || !spread) return;
    event.preventDefault();
    const [a, b] = [event.touches[0], event.touches[1]];
    if (a && b) zoomTo((before * gap(event.touches)) / spread, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
  },
  { passive: false },
);
document.addEventListener("touchend", () => (spread = 0), { passive: true });

document.addEventListener(
  "wheel",
  (event) => {
    if (!(event.target as Element).closest?.("#mapscroll")) return;
    const view = port();
    if (!view) return;
    // A pinch on a touchpad comes as a wheel with Ctrl. A map that fits has nothing to scroll: there the wheel zooms.
    const fits = view.scrollHeight <= view.clientHeight + 2 && view.scrollWidth <= view.clientWidth + 2;
    if (!event.ctrlKey && !fits && zoom === 1) return;
    if (!event.ctrlKey && fits && event.deltaY > 0) return;
    event.preventDefault();
    zoomTo(zoom * Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
  },
  { passive: false },
);

let hold: { x: number; y: number; left: number; top: number; moved: boolean } | null = null;
document.addEventListener("pointerdown", (event) => {
  const view = port();
  if (event.pointerType !== "mouse" || event.button !== 0 || !view?.contains(event.target as Node)) return;
  hold = { x: event.clientX, y: event.clientY, left: view.scrollLeft, top: view.scrollTop, moved: false };
});
document.addEventListener("pointermove", (event) => {
  const view = port();
  if (!hold || !view) return;
  const [dx, dy] = [event.clientX - hold.x, event.clientY - hold.y];
  if (!hold.moved && Math.hypot(dx, dy) < 5) return;
  hold.moved = true;
  view.classList.add("grabbing");
  view.scrollLeft = hold.left - dx;
  view.scrollTop = hold.top - dy;
});
document.addEventListener("pointerup", () => {
  port()?.classList.remove("grabbing");
  if (hold?.moved) {
    // What was dragged was not clicked.
    const stop = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => document.removeEventListener("click", stop, { capture: true }), 0);
  }
  hold = null;
});

document.addEventListener("click", (event) => {
  const how = (event.target as Element).closest<HTMLElement>("[data-zoom]")?.dataset.zoom;
  if (how === "in") zoomTo(zoom * 1.4);
  else if (how === "out") zoomTo(zoom / 1.4);
  else if (how === "whole") zoomTo(least());
});

// ---- reading the map

/** What a place says, in the plate on the sea. */
function read(place: Element | null): void {
  const plate = document.getElementById("look");
  if (!plate) return;
  const told = place?.getAttribute("aria-label") ?? "";
  const cut = told.indexOf(place?.classList.contains("t") ? "." : ",");
  plate.textContent = "";
  if (!told) return;
  const name = document.createElement("b");
  name.textContent = told.slice(0, cut);
  const rest = told.slice(cut + 1).trim();
  plate.append(name, rest.charAt(0).toUpperCase() + rest.slice(1));
}

const place = (target: EventTarget | null): Element | null => (target as Element).closest?.("#ways > .w, #towns > .t") ?? null;
document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse" || !port()?.contains(event.target as Node)) return;
  read(place(event.target));
});
document.addEventListener("pointerout", (event) => {
  if (event.pointerType === "mouse" && place(event.target)) read(place(document.activeElement));
});
document.addEventListener("focusin", (event) => {
  const found = place(event.target);
  if (found) read(found);
  else if (!port()?.contains(event.target as Node)) read(null);
  rows();
});
document.addEventListener("click", (event) => {
  const found = place(event.target);
  if (found instanceof SVGElement) found.focus({ preventScroll: true });
  else if (port()?.contains(event.target as Node)) read(null);
});

/** Which entries of the list belong to the chosen and to the focused lamp on the map. */
function rows(): void {
  for (const row of document.querySelectorAll<HTMLLabelElement>("#dock .row[for]")) {
    const radio = document.getElementById(row.htmlFor) as HTMLInputElement | null;
    row.classList.toggle("sel", radio?.checked ?? false);
    row.classList.toggle("focus", radio?.matches(":focus-visible") ?? false);
  }
}
document.addEventListener("change", (event) => {
  const input = event.target as HTMLInputElement;
  if (input.matches("[data-net]")) {
    if (input.checked) shown.add(input.id);
    else shown.delete(input.id);
  }
  rows();
});

/** From a town or a connection to the nearest one in the direction of an arrow key. */
const WAYS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function middle(element: Element): [number, number] {
  const spot = element.querySelector(".slot, use")?.getBoundingClientRect() ?? element.getBoundingClientRect();
  return [spot.left + spot.width / 2, spot.top + spot.height / 2];
}
document.addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  const from = place(document.activeElement);
  if (!way || !from || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const [x, y] = middle(from);
  let best: SVGElement | null = null;
  let least_ = Infinity;
  for (const other of document.querySelectorAll<SVGElement>("#ways > .w, #towns > .t")) {
    if (other === from) continue;
    const [u, v] = middle(other);
    const along = (u - x) * way[0] + (v - y) * way[1];
    const beside = Math.abs((u - x) * way[1]) + Math.abs((v - y) * way[0]);
    if (along < 3 || beside > along * 1.6) continue;
    if (along + 2 * beside < least_) [best, least_] = [other, along + 2 * beside];
  }
  if (!best) return;
  from.setAttribute("tabindex", "-1");
  best.setAttribute("tabindex", "0");
  best.focus();
});

/** A card or an entry that one points at is shown on the map. */
function point(event: Event, on: boolean): void {
  const town = (event.target as Element).closest?.<HTMLElement>("[data-town]")?.dataset.town;
  if (town) document.getElementById(`t${town}`)?.classList.toggle("hot", on);
}
document.addEventListener("mouseover", (event) => point(event, true));
document.addEventListener("mouseout", (event) => point(event, false));

function begin(): void {
  for (const id of shown) {
    const box_ = document.getElementById(id);
    if (box_ instanceof HTMLInputElement) box_.checked = true;
  }
  rows();
  centre();
}

document.addEventListener("htmx:after:swap", begin);
root.classList.add("ww-js");
begin();

export {};
