// What lies over the picture: buttons, sentences, marks on pieces. All of it is made here; the page knows nothing of it.
import type { Device, Hint } from "./hints";
import type { Stage } from "./stage";
import type { Vector3 } from "three";

type Wanted = { cls?: string; text?: string; label?: string; icon?: string; id?: string };

function icon(name: string): SVGElement {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("class", "i");
  svg.setAttribute("width", "22");
  svg.setAttribute("height", "22");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(ns, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, wanted: Wanted = {}): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (wanted.cls) element.className = wanted.cls;
  if (wanted.id) element.id = wanted.id;
  if (wanted.icon) element.append(icon(wanted.icon));
  if (wanted.text) {
    const text = document.createElement("span");
    text.append(wanted.text);
    element.append(element instanceof HTMLButtonElement ? text : wanted.text);
  }
  if (wanted.label) {
    element.setAttribute("aria-label", wanted.label);
    element.title = wanted.label;
  }
  if (element instanceof HTMLButtonElement) element.type = "button";
  return element;
}

export type Tone = "" | "good" | "bad" | "bad crashed";
/** A tick or a cross over a piece. */
export type Mark = { at: Vector3; met: boolean; title: string };

const PAD: [string, string, string, string][] = [
  ["turnl", "a-turnl", "Turn left", ""],
  ["far", "a-far", "Away", ""],
  ["turnr", "a-turnr", "Turn right", ""],
  ["up", "a-up", "Raise", ""],
  ["left", "a-left", "To the left", ""],
  ["near", "a-near", "Nearer", ""],
  ["right", "a-right", "To the right", ""],
  ["down", "a-down", "Lower", ""],
];

export class Overlay {
  readonly plan = make("div", { cls: "plan3" });
  readonly pad = make("div", { cls: "pad3" });
  readonly views = make("div", { cls: "views3" });
  private readonly sentence = make("p", { cls: "say3" });
  private readonly spoken = make("div", { cls: "vh", id: "said" });
  private readonly clock = make("p", { cls: "clock3" });
  private readonly hints = make("dl", { cls: "hint3" });
  private readonly tip = make("button", { cls: "half tip", icon: "a-tip", text: "Tip over" });
  private readonly pins: HTMLElement[] = [];
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly stage: Stage,
    act: {
      press: (what: string, on: boolean) => void;
      tip: () => void;
      lower: (on: boolean) => void;
      release: () => void;
      cancel: () => void;
      view: (name: string) => void;
      steps: () => boolean;
      films: () => void;
    },
  ) {
    const host = stage.host;
    this.plan.append(make("b", { text: "From above" }));
    this.plan.hidden = this.pad.hidden = this.hints.hidden = true;
    this.spoken.setAttribute("role", "status");
    this.spoken.setAttribute("aria-live", "polite");
    this.sentence.setAttribute("aria-hidden", "true");
    for (const [what, sprite, label] of PAD) {
      const button = make("button", { icon: sprite, label });
      const up = (): void => act.press(what, false);
      button.addEventListener("pointerdown", (event) => {
        button.setPointerCapture(event.pointerId);
        act.press(what, true);
      });
      for (const type of ["pointerup", "pointercancel"] as const) button.addEventListener(type, up);
      // From the keyboard a press is one step.
      button.addEventListener("click", (event) => {
        if (event.detail === 0) act.press(`${what}!`, true);
      });
      this.pad.append(button);
    }
    this.tip.addEventListener("click", () => act.tip());
    const back = make("button", { cls: "half back", icon: "undo", text: "Put back" });
    back.addEventListener("click", () => act.cancel());
    const gently = make("button", { cls: "wide gently", icon: "a-gently", text: "Lower gently" });
    gently.addEventListener("pointerdown", (event) => {
      gently.setPointerCapture(event.pointerId);
      act.lower(true);
    });
    for (const type of ["pointerup", "pointercancel"] as const) gently.addEventListener(type, () => act.lower(false));
    gently.addEventListener("keydown", (event) => {
      if (event.key === " " || event.key === "Enter") {
        event.preventDefault();
        act.lower(true);
      }
    });
    gently.addEventListener("keyup", () => act.lower(false));
    const open = make("button", { cls: "wide letgo", text: "Let go", id: "let-go" });
    open.addEventListener("click", () => act.release());
    this.pad.append(this.tip, back, gently, open);
    for (const [name, sprite, label] of [
      ["front", "v-front", "From the front"],
      ["side", "v-side", "From the side"],
      ["top", "v-top", "From above"],
      ["round", "v-round", "From the corner"],
    ] as const) {
      const button = make("button", { icon: sprite, label });
      button.addEventListener("click", () => act.view(name));
      this.views.append(button);
    }
    const steps = make("button", { text: "mm", label: "Move by 5 mm steps" });
    steps.setAttribute("aria-pressed", "false");
    steps.addEventListener("click", () => {
      const on = act.steps();
      steps.setAttribute("aria-pressed", String(on));
      steps.classList.toggle("on3", on);
    });
    const films = make("button", { icon: "play", label: "Show turns again", id: "films" });
    films.addEventListener("click", () => act.films());
    this.views.append(steps, films);
    host.append(this.sentence, this.spoken, this.clock, this.hints, this.plan, this.pad, this.views);
  }

  /** What happens, for eyes and ears. */
  say(text: string, tone: Tone = ""): void {
    this.sentence.textContent = text;
    this.sentence.className = `say3 ${tone}`;
    if (text) this.speak(text);
  }

  /** For ears only; what follows quickly replaces it. */
  speak(text: string, after = 0): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => (this.spoken.textContent = text), after);
  }

  get heard(): string {
    return this.spoken.textContent ?? "";
  }

  time(seconds: number | null): void {
    this.clock.textContent = seconds === null ? "" : `${Math.ceil(seconds)} s`;
    this.clock.classList.toggle("short", seconds !== null && seconds <= 20);
    if (seconds !== null && (Math.ceil(seconds) === 20 || Math.ceil(seconds) === 10)) this.speak(`${Math.ceil(seconds)} seconds left`);
  }

  holding(mine: boolean, inset: boolean): void {
    this.pad.hidden = !mine;
    this.plan.hidden = !inset;
    document.documentElement.classList.toggle("in-hand", mine);
  }

  /** Which control does what. */
  hint(device: Device, hints: Hint[]): void {
    const told = JSON.stringify(hints);
    this.hints.hidden = !hints.length;
    this.hints.dataset.device = device;
    if (this.hints.dataset.told === told) return;
    this.hints.dataset.told = told;
    this.hints.replaceChildren(
      ...hints.map(([control, deed]) => {
        const pair = make("div");
        pair.append(make("dt", { text: control }), make("dd", { text: deed }));
        return pair;
      }),
    );
  }

  /** What lies aslant in the hand is put straight first. */
  leaning(on: boolean): void {
    const text = this.tip.querySelector("span");
    const label = on ? "Straighten" : "Tip over";
    if (text && text.textContent !== label) text.textContent = label;
  }

  mark(marks: Mark[]): void {
    while (this.pins.length < marks.length) {
      const pin = make("span", { cls: "pin3" });
      pin.setAttribute("aria-hidden", "true");
      this.stage.host.append(pin);
      this.pins.push(pin);
    }
    this.pins.forEach((pin, i) => {
      const mark = marks[i];
      pin.hidden = !mark;
      if (!mark) return;
      const p = mark.at.project(this.stage.camera);
      pin.style.transform = `translate(${Math.round(((p.x + 1) / 2) * this.stage.width - 11)}px,${Math.round(((1 - p.y) / 2) * this.stage.height - 26)}px)`;
      const kind = mark.met ? "met" : "unmet";
      if (pin.dataset.kind !== kind) {
        pin.dataset.kind = kind;
        pin.replaceChildren(icon(mark.met ? "tick" : "cross"));
      }
      pin.title = mark.title;
    });
  }
}
