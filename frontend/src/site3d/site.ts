// The building site on the page: the scene, the hand, and what is heard of both. Loaded only where a site is shown.
import { Vector3 } from "three";
import { Cinema } from "./cinema";
import { Controls } from "./controls";
import { Cues, type Preview } from "./cues";
import { Drafting } from "./drafting";
import { Film } from "./film";
import { Glides, type Seen } from "./glides";
import { Glow, INKS } from "./glow";
import { Hand } from "./hand";
import { hintsFor } from "./hints";
import { marks, opinion } from "./judged";
import { Overlay, type Tone } from "./overlay";
import { kindOf, nameOf, PIECES } from "./pieces";
import { inHand, placeInWords, words } from "./spoken";
import { qualityOf, Stage } from "./stage";
import { told, turnOf } from "./told";
import { View } from "./view";
import { type Finding, type Frame, type Hello, type Placing, type Pose, poseOf, type Rest, type State, type Turn, Wire } from "./wire";
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
  private page: ReturnType<typeof told>;
  private turn: Turn | null = null;
  private findings: Finding[] = [];
  private dead: number[] = [];
  private may = false;
  private phase = "";
  private seat: number | null = null;
  private top = 100;
  private calm = true;
  private hover: number | null = null;
  private chosen: number | null = null;
  private lit: number[] = [];
  /** What has changed its place where nothing may move. */
  private moved: number[] = [];
  /** What happens now, for whoever wants to see it again. */
  private reel: Film | null = null;
  private reelBegan = -1;
  private crash: number | null = null;
  /** When all had come to rest after an accident; what is shown again then ends before the camera goes home. */
  private crashOver = 0;
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
    private readonly source: HTMLElement,
  ) {
    const wishes = new URLSearchParams(location.search);
    this.draws = wishes.get("draw") !== "0";
    this.preview = source.dataset.preview === "on";
    this.page = told(source);
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
      view: (name) => this.view.look(name, this.top),
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
      view: (name) => this.view.look(name, this.top),
      hover: (piece) => {
        if (this.hover !== piece) this.stage.stale = true;
        this.hover = piece;
      },
      look: (piece) => piece !== null && this.over.speak(nameOf(piece)),
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
      (seat) => this.page.names[seat] ?? `Seat ${seat + 1}`,
      () => this.stage.moved(),
      (text) => this.over.say(text),
    );
    this.listen(host);
    this.read();
    this.view.look("round", this.top, 0);
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
          if (!button || !this.wire.open || !this.may) return;
          event.preventDefault();
          event.stopImmediatePropagation();
          deed(button);
        },
        true,
      );
    instead("#design-free", () => this.drafting.begin(this.page.sample, this.hand));
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
    const before = this.page.fixed;
    this.page = told(this.source);
    if (!this.yard.group.userData.built || JSON.stringify(before) !== JSON.stringify(this.page.fixed)) {
      this.yard.build(this.page.fixed);
      this.yard.group.userData.built = true;
    }
    if (!this.wire.open) {
      this.phase = this.page.phase;
      this.seat = this.page.seat;
      this.dead = this.page.dead;
      const known = new Set(this.page.pieces.map((row) => row[0]));
      for (let piece = 0; piece < PIECES; piece++) if (!known.has(piece)) this.wire.history.drop(piece);
      for (const row of this.page.pieces) this.wire.history.set(row[0] ?? 0, poseOf(row, 1));
      this.findings = this.page.findings;
      this.turn = turnOf(this.page);
    } else if (this.hand.piece === null) this.findings = this.page.findings;
    this.layOut();
    inHand(this.hand.piece);
    this.stage.moved();
  }

  private layOut(): void {
    const history = this.wire.history;
    const there = (piece: number): boolean => history.last(piece) !== undefined;
    const supply = [];
    for (let piece = 0; piece < PIECES; piece++) if (!there(piece) && !this.dead.includes(piece)) supply.push(piece);
    const steps = (this.turn?.steps ?? []).map((step) => step.filter((piece) => !there(piece)));
    this.yard.layOut(steps, supply, this.stage.quality !== "low" || !this.draws);
  }

  private get grips(): number[] {
    if (this.hand.piece !== null) return [];
    return this.drafting.open ? this.drafting.pieces : this.may ? (this.turn?.grips ?? []) : [];
  }

  /** What is taken if this is pointed at: a hat stands for its worker. */
  private ofTurn(piece: number): number | null {
    const grips = this.grips;
    if (grips.includes(piece)) return piece;
    if (kindOf(piece) !== "hat" || !(this.drafting.open || this.turn?.pieces.includes(piece))) return null;
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
    this.phase = m.phase;
    this.seat = m.seat;
    this.may = m.may;
    this.dead = m.dead;
    this.turn = building(m.turn);
    this.findings = m.findings;
    this.top = m.top;
    this.crash = null;
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

  /** A new reel for what comes now; whatever has been put elsewhere is seen to go there. */
  private begin(before: Seen | null): void {
    const poses: [number, Pose][] = [];
    for (let piece = 0; piece < PIECES; piece++) {
      const pose = this.wire.history.last(piece);
      if (pose) poses.push([piece, pose]);
    }
    this.reel = new Film(poses);
    this.reelBegan = -1;
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
    const next = this.turn?.grips.find((piece) => !this.turn?.placed.includes(piece));
    if (this.hand.piece !== null) this.over.say("Carry it over the site.");
    else if (this.may && next !== undefined) this.over.say(`Take ${nameOf(next)} from the front of the table.`);
    else this.over.say("");
  }

  private gripped(piece: number, by: number, pose: Pose): void {
    const fresh = this.wire.history.last(piece) === undefined;
    if (fresh) this.wire.history.set(piece, pose);
    this.glides.end(piece);
    this.moved = [];
    if (by === this.seat && this.hand.asked === piece) {
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
    this.crash = null;
    this.layOut();
  }

  private who(seat: number): string {
    return seat === this.seat ? "Your other window" : (this.page.names[seat] ?? `Seat ${seat + 1}`);
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
    if (this.reel && s.poses.length) {
      if (this.reelBegan < 0) this.reelBegan = s.tick;
      const t = (s.tick - this.reelBegan) / 60 + 0.02;
      if (t < 600) this.reel.add(t, s.poses, s.held, s.accident);
    }
    this.over.leaning(h.leans);
    this.holds(h.piece !== null, s.held !== null);
  }

  private sayUnlessCrashed(text: string, tone: Tone = ""): void {
    if (this.crash === null) this.over.say(text, tone);
  }

  private crashed(piece: number, words: string): void {
    this.crash = piece;
    this.hand.drop();
    this.holds(false, false);
    this.over.say(words || `Accident! ${cap(nameOf(piece))} fell.`, "bad crashed");
    const pose = this.wire.history.last(piece);
    if (pose) this.view.close(pose);
  }

  private rested(m: Rest): void {
    const { reel, crash } = this;
    this.drafting.end();
    this.hand.drop();
    this.settle(m);
    if (m.accident && reel && reel.crash !== null) {
      // Once more, slowly: what fell, and from where.
      if (!still.matches && this.draws) this.cinema.show(reel, Math.max(0, reel.crash - 0.8), reel.crash + 0.7, 0.3);
      this.crashOver = performance.now();
    } else if (crash === null) {
      if (m.back.length && !m.accident) this.over.say(`${cap(nameOf(m.back[0] ?? 0))} is back in the supply.`);
      else if (m.phase === "BUILD" && m.findings.length && this.turn) {
        const { text, tone } = opinion(m.findings, this.turn, this.may);
        this.over.say(text, tone);
      } else this.over.say("");
    }
    this.holds(false, false);
  }

  private home(): void {
    this.crashOver = 0;
    this.view.back();
    this.crash = null;
    this.over.say("");
    this.stage.stale = true;
  }

  private put(m: Placing): void {
    this.hand.drop();
    this.settle(m);
    this.over.say("Put back.");
    this.holds(false, false);
  }

  private settle(m: Placing): void {
    const history = this.wire.history;
    const before = this.glides.seen();
    const there = new Set(m.pieces.map((row) => row[0]));
    for (let piece = 0; piece < PIECES; piece++) if (!there.has(piece)) history.drop(piece);
    for (const row of m.pieces) if (history.last(row[0] ?? 0) === undefined) history.set(row[0] ?? 0, poseOf(row, 1));
    this.turn = building(m.turn);
    this.top = m.top;
    this.phase = m.phase;
    this.may = m.hook === this.seat;
    this.findings = m.findings;
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
    this.may = false;
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
    if (again) this.crashOver = this.crashOver && now;
    else if (this.crashOver && now - this.crashOver > (still.matches ? 4000 : 1500)) this.home();
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
    const judged = !this.cinema.film && this.calm && this.phase === "BUILD" && this.hand.piece === null;
    this.over.mark(judged ? marks(this.findings, this.turn, this.yard.bodies) : []);
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
    if (this.crash !== null) lines.push([this.crash, INKS.fallen]);
    for (const piece of this.lit) if (piece !== s?.held) lines.push([piece, INKS.spoken]);
    if (s?.held !== null && !this.cinema.film) for (const piece of s?.touch ?? []) lines.push([piece, INKS.touched]);
    const soft = (this.hover === null ? null : this.ofTurn(this.hover)) ?? this.chosen;
    if (soft !== null && this.grips.includes(soft)) lines.push([soft, INKS.offered]);
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
      top: this.top,
      said: this.over.heard,
      hand: this.hand.p.toArray(),
      turned: this.hand.q.toArray(),
      body: (piece: number) => this.yard.bodies[piece]?.position.toArray(),
      seen: (piece: number) => !!this.yard.bodies[piece]?.visible,
      eye: this.stage.camera.position.toArray(),
      shadow: this.shadow,
      gliding: this.glides.pieces,
      moved: this.moved,
      turn: this.turn,
      film: this.cinema.film && { t: this.cinema.t, seconds: this.cinema.film.seconds, pieces: this.cinema.film.pieces },
      draft: this.drafting.rows,
      quality: this.stage.quality,
      fly: (eye: [number, number, number], aim: [number, number, number]) =>
        this.stage.fly(new Vector3(...eye), new Vector3(...aim), 0),
    };
  }
}

/** A turn in which something is built; of a clean-up the page itself tells. */
function building(turn: Turn | null): Turn | null {
  return turn?.kind === "build" ? turn : null;
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
