// A table's live part: pushed over the event stream, or the answer to a form, and morphed in place by htmx.
import htmx from "htmx.org";
import "htmx.org/dist/ext/hx-sse.js";
import { turned } from "./notices";

const root = document.documentElement;
const live = (): HTMLElement | null => document.getElementById("live");
const number = (): number => Number(live()?.dataset.number ?? -1);

// A page in the background keeps listening: its title says when it is one's turn.
(htmx.config as unknown as Record<string, unknown>).sse = { pauseOnBackground: false, reconnectMaxDelay: 5000 };

type Field = HTMLInputElement | HTMLTextAreaElement;
/** What the reader has chosen or typed and not yet sent, by the field's id. */
const unsent = new Map<string, boolean | string>();

const isChoice = (field: Field): boolean => field.type === "radio" || field.type === "checkbox";

function remember(): void {
  unsent.clear();
  for (const field of live()?.querySelectorAll<Field>("input[id], textarea[id]") ?? []) {
    if (field.type === "hidden") continue;
    if (field instanceof HTMLInputElement && isChoice(field)) {
      if (field.checked !== field.defaultChecked) unsent.set(field.id, field.checked);
    } else if (field.value !== field.defaultValue) unsent.set(field.id, field.value);
  }
}

/** The morph may make a field anew; if the page still asks for the same thing, the reader's wish stands. */
function restore(): void {
  for (const [id, value] of unsent) {
    const field = document.getElementById(id);
    if (field instanceof HTMLInputElement && typeof value === "boolean") field.checked = value;
    else if ((field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && typeof value === "string")
      field.value = value;
  }
  unsent.clear();
}

/** What the reader has opened stays open, and what is chosen stays chosen, whatever the server's HTML says. */
const KEPT = new Set(["open", "aria-expanded"]);
htmx.registerExtension("keep", {
  htmx_before_morph_node: (element: Element) => {
    if (element.id === "live") remember();
    return true;
  },
  htmx_before_morph_attr: (element: Element, detail: { attrName: string }) =>
    !(KEPT.has(detail.attrName) && element.matches("details, [aria-expanded]")),
} as never);

let heard = -1;
/** The newest number that is shown, or waits for the animation before it to end. */
let promised = -1;
let inside = false;

/** Animations that run or wait. */
let moving = 0;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Is the reader in the middle of the very decision that the new page asks for? */
function asksTheSame(text: string): boolean {
  const decision = live()?.querySelector<HTMLInputElement>("#act [name=based_on]")?.value;
  return decision !== undefined && text.includes(`name="based_on" value="${decision}"`);
}

/** While a page is captured for an animation it hears no clicks: nobody is disturbed like that while deciding. */
function atOnce(event: Event): void {
  const tasks = (event as CustomEvent).detail?.tasks as { swapSpec?: { transition?: boolean } }[] | undefined;
  for (const task of tasks ?? []) if (task.swapSpec) task.swapSpec.transition = false;
}

function lines(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("#live [data-line]")];
}

function newest(): number {
  return Math.max(-1, ...lines().map((line) => Number(line.dataset.line)));
}

/** Say what is new to those who hear the page. */
function announce(): void {
  const news = document.getElementById("news");
  const fresh = lines()
    .filter((line) => Number(line.dataset.line) > heard)
    .sort((a, b) => Number(a.dataset.line) - Number(b.dataset.line))
    .slice(-8)
    .map((line) => line.querySelector("span:last-child")?.cloneNode(true) as HTMLElement | undefined)
    .map((text) => {
      text?.querySelectorAll(".cl").forEach((clause) => clause.remove());
      return text?.textContent?.trim() ?? "";
    });
  heard = Math.max(heard, newest());
  const asked = live()?.dataset.lamp ? document.querySelector("#prompt p")?.textContent?.trim() : "";
  if (news && fresh.length) news.textContent = [...fresh, asked].filter(Boolean).join(" ");
}

/** The window's title and sign tell whose turn it is. */
function lamp(): void {
  const part = live();
  if (!part) return;
  const mine = part.dataset.lamp ?? "";
  document.title = (mine ? "Your turn: " : "") + (part.dataset.title ?? "");
  turned(mine !== "", part.dataset.title ?? "");
  const icon = document.getElementById("icon") as HTMLLinkElement | null;
  const wanted = icon?.dataset[mine ? "lamp" : "calm"];
  if (icon && wanted && icon.getAttribute("href") !== wanted) icon.href = wanted;
}

let said = "";

/** Bring what the foreman said into view, once. */
function advised(): void {
  const advice = document.getElementById("advice");
  const text = advice?.textContent ?? "";
  if (text && text !== said) advice?.scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
  said = text;
}

/** What was said is put away; the button that asked for it is where one goes on. */
document.addEventListener("click", (event) => {
  const away = (event.target as Element | null)?.closest("[data-shut]");
  const advice = away?.closest("#advice");
  if (!away || !advice) return;
  event.preventDefault();
  advice.replaceChildren();
  advised();
  document.getElementById("ask-foreman")?.focus({ preventScroll: true });
});

/** Every page sends keys of its own, so that two tabs of one person are told apart. */
function freshKeys(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>("#live input[data-fresh]")) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    input.value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}

document.addEventListener("htmx:before:swap", (event) => {
  const text = String((event as CustomEvent).detail?.ctx?.text ?? "");
  const found = /<div id="live" data-number="(\d+)"/.exec(text);
  if (!found) return;
  const problem = /class="note problem refused"/;
  const said = problem.test(text) || live()?.querySelector(".note.problem.refused");
  // The stream and the answer to one's own form bring the same news: once is enough, and nothing goes back in time.
  const comes = Number(found[1]);
  promised = Math.max(promised, number());
  if (comes < promised || (comes === promised && !said)) {
    event.preventDefault();
    return;
  }
  promised = comes;
  if (!moving && (still.matches || asksTheSame(text))) atOnce(event);
  inside = live()?.contains(document.activeElement) ?? false;
});

document.addEventListener("htmx:before:viewTransition", () => {
  moving += 1;
});
document.addEventListener("htmx:after:viewTransition", () => {
  moving = Math.max(0, moving - 1);
});

document.addEventListener("htmx:after:swap", () => {
  advised();
  restore();
  lamp();
  freshKeys();
  announce();
  // Whoever had the focus on something that is gone goes on at the sentence that says what is asked now.
  if (inside && (document.activeElement === document.body || !document.activeElement)) {
    document.getElementById("prompt")?.focus({ preventScroll: true });
  }
});

document.addEventListener("htmx:sse:error", () => root.classList.add("offline"));
document.addEventListener("htmx:sse:after:connection", () => root.classList.remove("offline"));

if (live()) {
  heard = newest();
  lamp();
  freshKeys();
}
