// Choices of several parts: pick things, see what they would do, confirm once. The server knows only small decisions;
// what is picked here is sent to it one after the other. Without this script each click is such a decision.
type Counts = number[];

const root = document.documentElement;
const WILD = 4;
/** What is picked, by element, in the order of picking; and the decision that it belongs to. */
let order: string[] = [];
let decision = "";
let sending = false;
/** Decisions in the middle of a choice that is being sent: the page does not show them. */
const between = new Set<string>();

const all = (): HTMLButtonElement[] => [...document.querySelectorAll<HTMLButtonElement>("#live [data-pick]")];
const commit = (): HTMLButtonElement | null => document.querySelector<HTMLButtonElement>("#live [data-commit]");
const form = (): HTMLFormElement | null => document.querySelector<HTMLFormElement>("#act");
const picked = (): HTMLButtonElement[] =>
  order.map((id) => document.getElementById(id)).filter((e): e is HTMLButtonElement => e instanceof HTMLButtonElement);
const offer = (element: HTMLElement): Counts => (element.dataset.offer ?? "").split(",").map(Number);

function based(): string {
  return form()?.dataset.decision ?? "";
}

function show(element: HTMLElement, on: boolean): void {
  element.setAttribute("aria-pressed", String(on));
  element.classList.toggle("chosen", on);
  element.classList.toggle("legal", !on);
}

/** What the Job needs and what meets it, as it stands; how many skills are missing. */
function pay(box: HTMLElement, things: HTMLElement[]): number {
  const needs = (box.dataset.needs ?? "").split(",").map(Number);
  const left: string[][] = [[], [], [], [], []];
  for (const thing of [...box.querySelectorAll<HTMLElement>("[data-fixed]"), ...things]) {
    offer(thing).forEach((n, skill) => left[skill]?.push(...Array<string>(n).fill(thing.dataset.by ?? "")));
  }
  const met: (string | undefined)[] = [];
  needs.forEach((n, skill) => {
    for (let i = 0; i < n; i++) {
      const pile = skill < WILD ? left[skill] : left.slice(0, WILD).find((some) => some.length);
      met.push(pile?.shift());
    }
  });
  let missing = 0;
  [...box.querySelectorAll<HTMLElement>("li[data-skill]")].forEach((slot, i) => {
    const by = met[i] ?? left[WILD]?.shift();
    if (by === undefined) missing++;
    slot.classList.toggle("met", by !== undefined);
    const name = slot.querySelector("small");
    if (name) name.textContent = by ?? "missing";
  });
  const names = ["Clerical", "Labour", "Tech", "Life", "wild"];
  const spare = left.flatMap((pile, skill) => (pile.length ? [`${pile.length} ${names[skill] ?? ""}`] : []));
  const line = box.querySelector(".spare");
  if (line) line.textContent = spare.length ? `${spare.join(", ")} to spare, lost without harm` : "";
  return missing;
}

function listed(things: HTMLElement[]): string {
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(thing.dataset.name ?? "", (counts.get(thing.dataset.name ?? "") ?? 0) + 1);
  return [...counts].map(([name, n]) => `${n} ${name}`).join(" and ");
}

/** The red button says what it would do, or what is still to choose. */
function update(): void {
  const button = commit();
  const say = button?.querySelector(".say");
  if (!button || !say) return;
  const things = picked();
  const box = document.querySelector<HTMLElement>("#live .pays");
  let ready = true;
  if (box && button.dataset.pay !== undefined) {
    const missing = pay(box, things);
    ready = missing === 0;
    say.textContent = ready ? "Fill it" : `${missing} skill${missing > 1 ? "s" : ""} short`;
  } else {
    const n = things.length;
    const total = n + Number(button.dataset.had);
    ready = n >= Number(button.dataset.least);
    const { none = "", one = "", many = "", list = "", short = "" } = button.dataset;
    if (!total) say.textContent = none;
    else if (!ready) say.textContent = (short || none).replace("{n}", String(n));
    else if (list) say.textContent = list.replace("{list}", listed(things));
    else say.textContent = (total === 1 ? one : many).replace("{n}", String(total));
    if (!ready && n === 0) say.textContent = none;
  }
  button.setAttribute("aria-disabled", String(!ready));
}

/** Take up what the page shows: a new decision begins with what it proposes, the same one goes on as it was. */
function begin(): void {
  const things = all();
  if (based() !== decision) {
    decision = based();
    order = things.filter((e) => e.getAttribute("aria-pressed") === "true").map((e) => e.id);
  } else {
    order = order.filter((id) => document.getElementById(id)?.matches("[data-pick]"));
    for (const thing of things) show(thing, order.includes(thing.id));
  }
  update();
}

function propose(worker: HTMLElement): void {
  const wanted = (worker.dataset.proposal ?? "").split(" ").filter(Boolean);
  if (!wanted.length) return;
  order = [];
  for (const thing of all()) {
    const at = wanted.indexOf(thing.value);
    if (at >= 0) {
      wanted.splice(at, 1);
      order.push(thing.id);
    }
    show(thing, at >= 0);
  }
}

function toggle(thing: HTMLButtonElement): void {
  if (thing.dataset.group) {
    propose(thing);
  } else if (order.includes(thing.id)) {
    order = order.filter((id) => id !== thing.id);
    show(thing, false);
  } else {
    const most = Number(commit()?.dataset.most ?? 99);
    order.push(thing.id);
    show(thing, true);
    const loose = order.filter((id) => !document.getElementById(id)?.dataset.group);
    if (loose.length > most && loose[0]) {
      const first = loose[0];
      order = order.filter((id) => id !== first);
      const released = document.getElementById(first);
      if (released) show(released, false);
    }
  }
  update();
}

function fresh(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** One decision; answers the number that the next one is based on. */
async function decide(action: string, based_on: string): Promise<string> {
  const target = form();
  if (!target) throw new Error("there is nothing to decide");
  const fields = new URLSearchParams(new FormData(target) as unknown as Record<string, string>);
  fields.set("action", action);
  fields.set("based_on", based_on);
  fields.set("key", fresh());
  // Not `target.action`: that is the buttons of this name.
  const answer = await fetch(target.getAttribute("action") ?? "", { method: "POST", body: fields, headers: { "HX-Request": "true" } });
  const text = await answer.text();
  const next = /name="based_on" value="(\d+)"/.exec(text)?.[1];
  if (!answer.ok || next === undefined) throw new Error("refused");
  between.add(next);
  return next;
}

async function send(button: HTMLElement): Promise<void> {
  const things = picked();
  // The Worker goes first, whatever was clicked first.
  const actions = [...things.filter((e) => e.dataset.group), ...things.filter((e) => !e.dataset.group)].map((e) => e.value);
  const done = button.dataset.done ?? "";
  const full = button.dataset.auto !== undefined && actions.length >= Number(button.dataset.most);
  if (done !== "" && !full) actions.push(done);
  const last = actions.pop();
  if (last === undefined) return;
  sending = true;
  button.setAttribute("aria-disabled", "true");
  try {
    let number = based();
    for (const action of actions) number = await decide(action, number);
    const target = form();
    if (!target) throw new Error("there is nothing to decide");
    sending = false;
    finish(target, last, number);
  } catch {
    location.reload();
  }
}

/** The last decision goes the usual way, so that the page moves as it always does. */
function finish(target: HTMLFormElement, action: string, number: string): void {
  const set = (name: string, value: string): void => {
    const field = target.querySelector<HTMLInputElement>(`[name=${name}]`);
    if (field) field.value = value;
  };
  set("based_on", number);
  set("key", fresh());
  const press = document.createElement("button");
  press.name = "action";
  press.value = action;
  target.append(press);
  press.click();
  press.remove();
}

document.addEventListener(
  "click",
  (event) => {
    const target = event.target as Element;
    const thing = target.closest<HTMLButtonElement>("#live [data-pick]");
    const button = target.closest<HTMLElement>("#live [data-commit]");
    if (thing) {
      event.preventDefault();
      event.stopPropagation();
      if (!sending) toggle(thing);
    } else if (button) {
      event.preventDefault();
      if (!sending && button.getAttribute("aria-disabled") !== "true") void send(button);
    }
  },
  true,
);

// In the draft a card cannot be kept and passed on: the newer wish counts.
document.addEventListener("change", (event) => {
  const wish = event.target as HTMLInputElement;
  if (!wish.dataset.split || !wish.closest("#live")) return;
  for (const radio of document.querySelectorAll<HTMLInputElement>("#live [data-split]:checked")) {
    if (radio !== wish && radio.value === wish.value) radio.checked = false;
  }
});

// While a choice is being sent, the steps in between are not shown; if one is refused, the page says so.
document.addEventListener("htmx:before:swap", (event) => {
  const text = String((event as CustomEvent<{ ctx?: { text?: string } }>).detail?.ctx?.text ?? "");
  const shows = /<form id="act"[^>]* data-decision="(\d+)"/.exec(text)?.[1] ?? "";
  if (sending || (between.has(shows) && !text.includes('class="note problem refused"'))) event.preventDefault();
  else between.clear();
});
document.addEventListener("htmx:after:swap", begin);

root.classList.add("wp");
begin();

export {};
