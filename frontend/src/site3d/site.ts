// The building site on the page: the scene, the hand, and what is heard of both. Loaded only where a site is shown.
import { Vector3 } from "three";
import { Accident } from "./accident";
import { Cinema } from "./cinema";
import { Controls } from "./controls";
import { Cues, type Preview } from "./cues";
import { Drafting } from "./drafting";
import { Glides, type Seen } from "./glides";
import { Glow, INKS } from "./glow";
import { Hand } from "./hand";
import { hintsFor } from "./hints";
import { marks, opinion } from "./judged";
import { Known } from "./known";
import { Overlay, type Tone } from "./overlay";
import { kindOf, nameOf } from "./pieces";
import { inHand, placeInWords, words } from "./spoken";
import { qualityOf, Stage } from "./stage";
import { View } from "./view";
import { type Frame, type Hello, type Placing, type Pose, poseOf, type Rest, type State, Wire } from "./wire";
import { type Body, Yard } from "./yard";

const P = new Vector3();
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Site {
  private readonly stage: Stage;
  private readonly yard = new Yard();
  private readonly wire: Wire;
  private readonly drafting: Drafting;
  private readonly hand: Hand;
  private readonly cues: Cues;
  private readonly over: Overlay;
  private readonly controls: Controls;
  private readonly cinema: Cinema;
  private readonly view: View;
  private readonly glow: Glow;
  private readonly glides: Glides;
  private readonly known: Known;
  private readonly accident: Accident;
  private calm = true;
  private hover: number | null = null;
  private chosen: number | null = null;
  private lit: number[] = [];
  /** What has changed its place where nothing may move. */
  private moved: number[] = [];
  private taken = 0;
  private wasBorne = false;
  private shadow: Preview | null = null;
  private lookedAhead = 0;
  private shown = false;
  private last = performance.now();
  private readonly preview: boolean;
  private readonly draws: boolean;
  /** What the gamepad calls itself, if there is one. */
  private pad = "";
  /** What the page has been told of the hand. */
  private toldOf = "";
  /** Pictures so far. */
  drawn = 0;

  constructor(
    host: HTMLElement,
    source: HTMLElement,
  ) {
    const wishes = new URLSearchParams(location.search);
    this.draws = wishes.get("draw") !== "0";
    this.preview = source.dataset.preview === "on";
    this.stage = new Stage(host, qualityOf(wishes.get("q") ?? (this.draws ? null : "low")));
    const canvas = this.stage.renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    canvas.setAttribute(
      "aria-label",
      "The building site. T takes the next piece, arrow keys carry it, page up and down raise and lower it, Q and E turn it, space lowers it gently, Enter lets go, W says where it is.",
    );
    const path = `/t/${source.dataset.table ?? ""}`;
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}/site`;
    this.wire = new Wire(address, {
      before: () => this.glides.seen(),
      hello: (m, before) => this.hello(m, before),
      grip: (m) => this.gripped(m.piece, m.by, poseOf(m.pose)),
      letgo: () => this.sayUnlessCrashed("The hand opens."),
      accident: (m) => this.crashed(m.piece, m.words),
      rest: (m) => this.rested(m),
      put: (m) => this.put(m),
      refused: (m) => this.refused(m),
      stored_not: (m) => this.over.say(m.sentence, "bad"),
      preview: (m) => {
        const row = m.pieces.find((found) => found[0] === this.hand.piece);
        this.shadow = row ? { pose: poseOf(row, 1), falls: m.falls } : null;
      },
      clock: (m) => this.over.time(m.seconds),
      time: () => this.over.say("Time is up: the hand opens.", "bad"),
      frame: (s) => this.frame(s),
      line: (open, final, code) => this.line(open, final, code),
    });
    this.known = new Known(source, this.yard, this.wire.history);
    this.view = new View(this.stage);
    this.glow = new Glow(this.yard);
    this.glides = new Glides(this.yard, (piece) => this.wire.history.last(piece) ?? this.yard.waiting.get(piece) ?? null);
    this.drafting = new Drafting(host, this.yard, this.wire, {
      say: (text) => this.over.say(text),
      holding: (mine) => this.holds(mine, mine),
      changed: () => this.stage.moved(),
    });
    this.hand = new Hand(this.drafting.follower());
    this.cues = new Cues(this.stage);
    host.append(this.cues.tag);
    this.stage.scene.add(this.yard.group, this.cues.group);
    this.over = new Overlay(this.stage, {
      press: (what, on) => this.press(what, on),
      tip: () => this.tip(),
      lower: (on) => this.hand.lower(on),
      release: () => this.release(),
      cancel: () => this.cancel(),
      view: (name) => this.view.look(name, this.known.top),
      steps: () => (this.controls.stepping = this.controls.stepping ? 0 : 5) > 0,
      films: () => void this.cinema.toggleBar(),
    });
    this.controls = new Controls(this.stage, this.yard, this.hand, {
      takes: (piece) => this.ofTurn(piece) !== null,
      take: (piece) => this.take(piece),
      next: (by) => this.choose(by),
      takeNext: () => this.take(this.chosen ?? this.grips[0] ?? -1),
      tip: () => this.tip(),
      release: () => this.release(),
      cancel: () => this.cancel(),
      where: () => this.over.speak(this.where()),
      stepped: () => this.over.speak(this.where(), 350),
      view: (name) => this.view.look(name, this.known.top),
      hover: (piece) => {
        if (this.hover !== piece) this.stage.stale = true;
        this.hover = piece;
      },
      look: (piece) => {
        if (piece === null) return;
        this.over.speak(nameOf(piece));
        // What has fallen is cleaned up by its button.
        setTimeout(() => document.getElementById(`way-${piece}-1`)?.focus());
      },
      device: (used, pad) => {
        this.pad = pad;
        document.documentElement.classList.toggle("has-pad", pad !== "");
        if (used === "pad" && pad) this.over.speak("A gamepad is connected. The keys’ list says which button does what.");
        this.hint();
      },
    });
    this.cinema = new Cinema(
      host,
      path,
      (seat) => this.known.nameOf(seat),
      () => this.stage.moved(),
      (text) => this.over.say(text),
    );
    this.accident = new Accident(this.wire.history, this.view, this.cinema, this.draws);
    this.listen(host);
    this.read();
    this.view.look("round", this.known.top, 0);
    requestAnimationFrame((now) => this.picture(now));
  }

  private hint(): void {
    const holds = this.hand.piece !== null;
    this.over.hint(this.controls.used, hintsFor(this.controls.used, this.pad, holds, this.grips.length > 0));
  }

  private listen(host: HTMLElement): void {
    const sized = new ResizeObserver(() => {
      this.stage.size();
      // Another size wipes the picture: it is made anew before anybody sees that.
      if (this.draws && this.drawn) this.draw();
    });
    sized.observe(host);
    const shift = (): void => this.stage.shift();
    new MutationObserver(shift).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", shift);
    document.addEventListener("htmx:after:swap", () => this.read());
    // What the page offers by a button is done here.
    const instead = (wanted: string, deed: (button: HTMLElement) => void): void =>
      document.addEventListener(
        "click",
        (event) => {
          const button = (event.target as Element).closest<HTMLElement>(wanted);
          if (!button || !this.wire.open || !this.known.may) return;
          event.preventDefault();
          event.stopImmediatePropagation();
          deed(button);
        },
        true,
      );
    instead("#design-free", () => this.drafting.begin(this.known.page.sample, this.hand));
    instead("[data-grip]", (button) => {
      this.take(Number(button.dataset.grip));
      this.stage.renderer.domElement.focus({ preventScroll: true });
    });
    // What the judge speaks of lights up.
    const light = (event: Event): void => {
      const line = (event.target as Element).closest<HTMLElement>("[data-pieces],[data-piece]");
      const named = line ? (line.dataset.pieces ?? line.dataset.piece ?? "") : "";
      const lit = named.split(" ").filter(Boolean).map(Number);
      if (lit.join() !== this.lit.join()) this.stage.stale = true;
      this.lit = lit;
    };
    document.addEventListener("pointerover", light);
    document.addEventListener("focusin", light);
  }

  // -- what is known --------------------------------------------------------------------------------------------

  /** The page has been told something new. */
  private read(): void {
    this.known.read(this.wire.open, this.hand.piece !== null);
    this.layOut();
    inHand(this.hand.piece);
    this.stage.moved();
  }

  private layOut(): void {
    this.known.layOut(this.stage.quality !== "low" || !this.draws);
  }

  private get grips(): number[] {
    if (this.hand.piece !== null) return [];
    return this.drafting.open ? this.drafting.pieces : this.known.may ? (this.known.turn?.grips ?? []) : [];
  }

  /** What is taken if this is pointed at: a hat stands for its worker. */
  private ofTurn(piece: number): number | null {
    const grips = this.grips;
    if (grips.includes(piece)) return piece;
    if (kindOf(piece) !== "hat" || !(this.drafting.open || this.known.turn?.pieces.includes(piece))) return null;
    const hat = this.yard.bodies[piece];
    const near = grips.find((other) => {
      const body = this.yard.bodies[other];
      return body && hat && kindOf(other) === "worker" && body.position.distanceTo(hat.position) < 26;
    });
    return near ?? null;
  }

  /** Whether there is something in the viewer's hand, or in anybody's. */
  private holds(mine: boolean, anybody: boolean): void {
    this.over.holding(mine, anybody);
    const told = `${mine ? this.hand.piece : null} ${this.grips.join()}`;
    if (told === this.toldOf) return;
    this.toldOf = told;
    inHand(mine ? this.hand.piece : null);
    this.stage.cover(mine ? 152 : 50);
    this.hint();
  }

  // -- what the site says -----------------------------------------------------------------------------------------

  private hello(m: Hello, before: Seen | null): void {
    this.drafting.end();
    this.known.hello(m);
    this.accident.piece = null;
    this.chosen = null;
    this.hand.drop();
    if (m.held?.mine) {
      const pose = this.wire.history.last(m.held.piece);
      if (pose) this.hand.takeAt(m.held.piece, pose);
    }
    this.over.time(m.seconds);
    this.begin(before);
    this.ask();
  }

  /** A new scene; whatever has been put elsewhere is seen to go there. */
  private begin(before: Seen | null): void {
    this.accident.begin();
    this.layOut();
    const gone = before ? this.glides.elsewhere(before) : [];
    const seen = !still.matches && document.visibilityState === "visible";
    this.moved = [];
    if (!before) this.glides.end();
    else if (seen) this.glides.begin(before, gone);
    else this.moved = gone;
    this.stage.moved();
  }

  private ask(): void {
    this.holds(this.hand.piece !== null, false);
    const next = this.known.turn?.grips.find((piece) => !this.known.turn?.placed.includes(piece));
    if (this.hand.piece !== null) this.over.say("Carry it over the site.");
    else if (this.known.may && next !== undefined) this.over.say(`Take ${nameOf(next)} from the front of the table.`);
    else this.over.say("");
  }

  private gripped(piece: number, by: number, pose: Pose): void {
    const fresh = this.wire.history.last(piece) === undefined;
    if (fresh) this.wire.history.set(piece, pose);
    this.glides.end(piece);
    this.moved = [];
    if (by === this.known.seat && this.hand.asked === piece) {
      this.hand.takeAt(piece, pose);
      this.taken = performance.now();
      // Whatever was pressed to take it: the keys belong to the piece now.
      if (!document.activeElement?.closest(".pad3")) this.stage.renderer.domElement.focus({ preventScroll: true });
      if (!fresh) this.hand.move(0, 0, 18);
      // From the front of the table it goes over the middle: it is to be seen there.
      this.view.include(P.set(0, 0, this.hand.p.z + 25));
      const fingers = this.controls.used === "touch" ? "One finger carries it, two turn and lift it." : "Carry it over the site.";
      this.over.say(`${cap(nameOf(piece))} is in your hand. ${fingers}`);
      this.holds(true, true);
    } else this.over.say(`${this.who(by)} takes ${nameOf(piece)}.`);
    this.accident.piece = null;
    this.layOut();
  }

  private who(seat: number): string {
    return seat === this.known.seat ? "Your other window" : this.known.nameOf(seat);
  }

  private frame(s: Frame): void {
    if (this.drafting.open) return;
    const h = this.hand;
    this.calm = s.quiet && s.held === null;
    if (h.piece !== null && s.held !== h.piece && performance.now() - this.taken > 400) h.drop();
    if (h.piece !== null && h.lowering) {
      h.p.z = s.want[2];
      if (s.borne && !this.wasBorne) this.over.say(`It ${words(s, 0)}. Let go with Enter.`, "good");
    }
    this.wasBorne = s.borne;
    if (h.piece === null) this.shadow = null;
    this.accident.film(s);
    this.over.leaning(h.leans);
    this.holds(h.piece !== null, s.held !== null);
  }

  private sayUnlessCrashed(text: string, tone: Tone = ""): void {
    if (this.accident.piece === null) this.over.say(text, tone);
  }

  private crashed(piece: number, words: string): void {
    this.accident.struck(piece);
    this.hand.drop();
    this.holds(false, false);
    this.over.say(words || `Accident! ${cap(nameOf(piece))} fell.`, "bad crashed");
  }

  private rested(m: Rest): void {
    const { filmed, piece } = this.accident;
    const { known } = this;
    this.drafting.end();
    this.hand.drop();
    this.settle(m);
    if (m.accident) this.accident.rested(filmed);
    else if (piece === null) {
      if (m.back.length) this.over.say(`${cap(nameOf(m.back[0] ?? 0))} is back in the supply.`);
      else if (m.phase === "BUILD" && m.findings.length && known.turn) {
        const { text, tone } = opinion(m.findings, known.turn, known.may);
        this.over.say(text, tone);
      } else this.over.say("");
    }
    this.holds(false, false);
  }

  private put(m: Placing): void {
    this.hand.drop();
    this.settle(m);
    this.over.say("Put back.");
    this.holds(false, false);
  }

  private settle(m: Placing): void {
    const before = this.glides.seen();
    this.known.settle(m);
    this.begin(before);
  }

  private refused(m: { code: string; sentence: string }): void {
    this.hand.asked = null;
    const s = this.wire.state;
    if (m.code === "TELEPORT" && s) this.hand.p.set(...s.want);
    this.over.say(m.sentence, "bad");
  }

  private line(open: boolean, final: boolean, code: number): void {
    const note = document.getElementById("no-site") as HTMLElement | null;
    if (note) note.hidden = open;
    document.documentElement.classList.toggle("site-live", open);
    if (open) return;
    this.hand.drop();
    this.known.may = false;
    this.holds(false, false);
    if (note) {
      note.hidden = false;
      note.dataset.code = String(code);
      note.textContent = final
        ? "At this table the pieces are placed by their numbers: open “Place by numbers” below."
        : code === 4503
          ? "Too many sites are in motion on this server. It is tried again soon; until then pieces can be placed by their numbers."
          : "No line to the site. It is tried again; until then pieces can be placed by their numbers.";
    }
    this.read();
  }

  // -- what the viewer does -----------------------------------------------------------------------------------------

  private take(piece: number): void {
    const found = piece < 0 ? null : this.ofTurn(piece);
    if (found === null || this.hand.piece !== null) return;
    this.cinema.close();
    if (this.drafting.open) {
      this.drafting.take(found);
      return;
    }
    this.hand.asked = found;
    this.wire.grip(found);
  }

  private choose(by: number): void {
    const grips = this.grips;
    if (!grips.length) return;
    const at = this.chosen === null ? (by > 0 ? -1 : 0) : grips.indexOf(this.chosen);
    this.chosen = grips[(at + by + grips.length) % grips.length] ?? null;
    if (this.chosen !== null) this.over.say(`${cap(nameOf(this.chosen))}: T takes it.`);
    this.stage.stale = true;
  }

  private tip(): void {
    if (this.hand.piece === null) return;
    if (this.hand.leans) this.hand.level();
    else this.hand.tip();
    this.over.leaning(this.hand.leans);
    this.over.speak(this.where(), 350);
  }

  private release(): void {
    if (this.hand.piece === null) return;
    if (this.drafting.open) {
      this.drafting.release();
      return;
    }
    this.wire.release();
    this.over.say("Letting go.");
    this.hand.lower(false);
  }

  private cancel(): void {
    if (this.drafting.open) this.release();
    else this.wire.cancel();
  }

  private press(what: string, on: boolean): void {
    if (what.endsWith("!")) {
      this.controls.step(what.slice(0, -1), this.controls.stepping || 5);
      this.over.speak(this.where(), 350);
    } else if (on) this.controls.down.add(what);
    else this.controls.down.delete(what);
  }

  /** Where the piece in the hand is, in words. */
  private where(): string {
    const { piece } = this.hand;
    const s = piece === null ? null : (this.drafting.state(piece) ?? this.wire.state);
    if (piece !== null && s) return placeInWords(piece, this.hand, s, this.shadow);
    const next = this.grips[0];
    return next === undefined ? "Nothing is in your hand." : `Nothing is in your hand. T takes ${nameOf(next)}.`;
  }

  // -- pictures -----------------------------------------------------------------------------------------------------

  private picture(now: number): void {
    requestAnimationFrame((next) => this.picture(next));
    const dt = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    this.controls.run(dt);
    this.stage.step(dt);
    this.glides.step(dt);
    const again = this.cinema.step(dt) ? this.cinema.film : null;
    if (this.accident.step(now, again !== null)) {
      this.over.say("");
      this.stage.stale = true;
    }
    const moved = this.yard.place((piece, place, turn) =>
      again
        ? again.at(piece, this.cinema.t, place, turn)
        : this.glides.at(piece, place, turn) || this.wire.history.at(piece, place, turn, piece === this.hand.piece ? 1 : 2),
    );
    if (moved) this.stage.moved();
    const held = this.heldBody();
    const s = this.drafting.state(held?.userData.piece ?? -1) ?? this.wire.state;
    if (held && s) this.carry(held, s);
    else if (this.shown) {
      this.cues.hide();
      this.shown = false;
      this.stage.stale = true;
    }
    if (this.glow.show(this.lights(s))) this.stage.stale = true;
    if (!this.draws) {
      this.stage.scene.updateMatrixWorld();
      this.stage.camera.updateMatrixWorld();
    } else if (this.stage.stale) this.draw();
  }

  /** What is in somebody's hand, unless something else is shown again. */
  private heldBody(): Body | null {
    const held = this.drafting.open ? this.hand.piece : (this.wire.state?.held ?? null);
    const body = held === null || this.cinema.film ? undefined : this.yard.bodies[held];
    return body?.visible ? body : null;
  }

  private draw(): void {
    const judged = !this.cinema.film && this.calm && this.known.phase === "BUILD" && this.hand.piece === null;
    this.over.mark(judged ? marks(this.known.findings, this.known.turn, this.yard.bodies) : []);
    const at = this.heldBody()?.position;
    this.stage.draw(at && !this.over.plan.hidden ? { x: at.x, y: at.y, element: this.over.plan } : null);
    this.drawn += 1;
  }

  private carry(body: Body, s: State): void {
    const mine = this.hand.piece === body.userData.piece;
    const known = this.wire.history.last(body.userData.piece);
    const at = known ? P.fromArray(known.p).clone() : body.position.clone();
    if (mine && !this.hand.lowering && !s.touch.length) {
      // In free air the wish is shown at once; near anything solid only what the site says.
      const w = smooth(Number.isFinite(s.gap) ? s.gap : 600, 3, 14);
      if (w) body.position.addScaledVector(this.hand.lead(), w);
    }
    if (mine && this.preview && performance.now() - this.lookedAhead > 280) {
      this.lookedAhead = performance.now();
      this.wire.say({ t: "preview" });
    }
    this.cues.show(body, s, mine ? this.hand : null, at, mine ? this.shadow : null);
    this.shown = true;
    this.stage.moved();
  }

  private lights(s: State | null): [number, string][] {
    const lines: [number, string][] = [];
    if (this.accident.piece !== null) lines.push([this.accident.piece, INKS.fallen]);
    for (const piece of this.lit) if (piece !== s?.held) lines.push([piece, INKS.spoken]);
    if (s?.held !== null && !this.cinema.film) for (const piece of s?.touch ?? []) lines.push([piece, INKS.touched]);
    const soft = (this.hover === null ? null : this.ofTurn(this.hover)) ?? this.chosen;
    if (soft !== null && this.grips.includes(soft)) lines.push([soft, INKS.offered]);
    if (this.accident.piece === null) {
      for (const piece of this.known.duties) if (!this.glides.pieces.includes(piece)) lines.push([piece, INKS.offered]);
    }
    for (const piece of this.moved) lines.push([piece, INKS.moved]);
    return lines;
  }

  /** For scripted checks: where something is on the screen, what is in the hand, what was said last. */
  get check(): object {
    const at = (x: number, y: number, z: number): [number, number] => {
      const box = this.stage.renderer.domElement.getBoundingClientRect();
      P.set(x, y, z).project(this.stage.camera);
      return [box.left + ((P.x + 1) / 2) * this.stage.width, box.top + ((1 - P.y) / 2) * this.stage.height];
    };
    return {
      at,
      open: this.wire.open,
      held: this.hand.piece,
      state: this.wire.state,
      grips: this.grips,
      top: this.known.top,
      said: this.over.heard,
      hand: this.hand.p.toArray(),
      turned: this.hand.q.toArray(),
      body: (piece: number) => this.yard.bodies[piece]?.position.toArray(),
      seen: (piece: number) => !!this.yard.bodies[piece]?.visible,
      eye: this.stage.camera.position.toArray(),
      shadow: this.shadow,
      lit: this.lights(this.wire.state).map(([piece]) => piece),
      gliding: this.glides.pieces,
      moved: this.moved,
      turn: this.known.turn,
      film: this.cinema.film && { t: this.cinema.t, seconds: this.cinema.film.seconds, pieces: this.cinema.film.pieces },
      draft: this.drafting.rows,
      quality: this.stage.quality,
      fly: (eye: [number, number, number], aim: [number, number, number]) =>
        this.stage.fly(new Vector3(...eye), new Vector3(...aim), 0),
    };
  }
}

function cap(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function smooth(x: number, low: number, high: number): number {
  const t = Math.min(1, Math.max(0, (x - low) / (high - low)));
  return t * t * (3 - 2 * t);
}

export function start(host: HTMLElement, source: HTMLElement): Site {
  const site = new Site(host, source);
  Object.assign(window, { shopfloorSite: site });
  return site;
}
