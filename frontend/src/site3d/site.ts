// The building site on the page: the scene, the hand, and what is heard of both. Loaded only where a site is shown.
import { Quaternion, Vector3 } from "three";
import { Cinema } from "./cinema";
import { Controls } from "./controls";
import { Cues, type Preview, words } from "./cues";
import { Draft } from "./draft";
import { Film } from "./film";
import { Hand } from "./hand";
import { make, Overlay, type Tone } from "./overlay";
import { kindOf, nameOf, PIECES } from "./pieces";
import { qualityOf, Stage } from "./stage";
import { type Finding, type Hello, type Placed, type Placing, poseOf, type Rest, type State, type Turn, Wire } from "./wire";
import { type Fixed, reachBelow, Yard } from "./yard";

/** What the page itself says of the site. */
type Told = {
  seat: number | null;
  phase: string;
  hook: number;
  pieces: number[][];
  dead: number[];
  steps: number[][];
  step: number;
  grips: number[];
  findings: Finding[];
  fixed: Fixed[];
  duties: number[];
  placed: number[];
  names: string[];
  /** The sample site to begin a design of one's own with. */
  sample: Placed[];
};

const P = new Vector3();
const still = matchMedia("(prefers-reduced-motion: reduce)");
const VIEWS: Record<string, [number, number]> = {
  // degrees around the site, and above the table
  front: [-90, 14],
  side: [0, 14],
  top: [-90, 86],
  round: [-68, 36],
};

export class Site {
  private readonly stage: Stage;
  private readonly yard = new Yard();
  private readonly wire: Wire;
  private readonly hand: Hand;
  private readonly cues: Cues;
  private readonly over: Overlay;
  private readonly controls: Controls;
  private readonly cinema: Cinema;
  private told: Told;
  private turn: Turn | null = null;
  private findings: Finding[] = [];
  private may = false;
  private phase = "";
  private seat: number | null = null;
  private top = 100;
  private hover: number | null = null;
  private chosen: number | null = null;
  private lit: number[] = [];
  private reel: Film | null = null;
  private reelBegan = -1;
  private crash: number | null = null;
  private before: [Vector3, Vector3] | null = null;
  private taken = 0;
  private calm = true;
  private last = performance.now();
  private readonly preview: boolean;
  private readonly draws: boolean;
  private ended = false;

  constructor(
    host: HTMLElement,
    private readonly source: HTMLElement,
  ) {
    const wishes = new URLSearchParams(location.search);
    this.draws = wishes.get("draw") !== "0";
    this.preview = source.dataset.preview === "on";
    this.told = JSON.parse(source.dataset.scene ?? "{}") as Told;
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
      hello: (m) => this.hello(m),
      grip: (m) => this.gripped(m.piece, m.by, m.pose),
      letgo: () => this.overSay("The hand opens."),
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
    this.hand = new Hand(this.follower());
    this.cues = new Cues(this.stage);
    host.append(this.cues.tag);
    this.stage.scene.add(this.yard.group, this.cues.group);
    this.over = new Overlay(this.stage, {
      press: (what, on) => this.press(what, on),
      tip: () => this.hand.tip(),
      lower: (on) => this.hand.lower(on),
      release: () => this.release(),
      cancel: () => this.cancel(),
      view: (name) => this.view(name),
      steps: () => (this.controls.stepping = this.controls.stepping ? 0 : 5) > 0,
      films: () => void this.cinema.toggleBar(),
    });
    this.controls = new Controls(this.stage, this.yard, this.hand, {
      takes: (piece) => this.ofTurn(piece) !== null,
      take: (piece) => this.take(piece),
      next: (by) => this.choose(by),
      takeNext: () => this.take(this.chosen ?? this.grips[0] ?? -1),
      release: () => this.release(),
      cancel: () => this.cancel(),
      where: () => this.over.speak(this.where()),
      stepped: () => this.over.speak(this.where(), 350),
      view: (name) => this.view(name),
      hover: (piece) => {
        if (this.hover !== piece) this.stage.stale = true;
        this.hover = piece;
      },
      look: (piece) => piece !== null && this.over.speak(nameOf(piece)),
    });
    this.cinema = new Cinema(
      host,
      path,
      (seat) => this.told.names[seat] ?? `Seat ${seat + 1}`,
      () => this.stage.moved(),
      (text) => this.over.say(text),
    );
    this.listen(host);
    this.read();
    this.view("round", 0);
    requestAnimationFrame((now) => this.picture(now));
  }

  /** The hand is followed by the site, or by what is being laid out. */
  private follower(): { ack: number; target: Wire["target"] } {
    const site = this;
    let seq = 0;
    return {
      get ack() {
        return site.draft ? seq : site.wire.ack;
      },
      target(p, q, lower) {
        if (!site.draft || site.hand.piece === null) return site.wire.target(p, q, lower);
        site.draft.set(site.hand.piece, { p: [p.x, p.y, p.z], q: [q.x, q.y, q.z, q.w] });
        if (lower) site.down();
        return ++seq;
      },
    };
  }

  // -- a starting site of one's own ---------------------------------------------------------------------------------

  private draft: Draft | null = null;
  private readonly drafting = make("div", { cls: "film3" });

  private layOutFreely(): void {
    this.draft = new Draft(this.told.sample, this.yard, this.wire.history);
    this.drafting.hidden = false;
    this.over.say("Move the pieces as you like. They have to stand by themselves.");
    this.stage.moved();
  }

  /** What is in the hand goes straight down onto what is below. */
  private down(): void {
    const piece = this.hand.piece;
    if (!this.draft || piece === null) return;
    const h = this.hand;
    h.p.z -= this.draft.gap(piece);
    this.draft.set(piece, { p: [h.p.x, h.p.y, h.p.z], q: h.q.toArray() as [number, number, number, number] });
  }

  private endDraft(): void {
    this.draft = null;
    this.drafting.hidden = true;
  }

  private listen(host: HTMLElement): void {
    this.drafting.hidden = true;
    const hand = make("button", { text: "Build it like this", cls: "lay3" });
    const back = make("button", { text: "Leave it", cls: "lay3" });
    hand.addEventListener("click", () => {
      if (this.draft && this.hand.piece === null) this.wire.say({ t: "design", poses: this.draft.rows() });
    });
    back.addEventListener("click", () => {
      this.endDraft();
      this.hand.drop();
      this.over.holding(false, false);
      this.over.say("");
      for (const row of this.told.sample) this.wire.history.drop(row[0] ?? 0);
      this.stage.moved();
    });
    this.drafting.append(hand, back);
    host.append(this.drafting);
    document.addEventListener(
      "click",
      (event) => {
        if (!(event.target as Element).closest("#design-free") || !this.wire.open || !this.may) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        this.layOutFreely();
      },
      true,
    );
    const sized = new ResizeObserver(() => this.stage.size());
    sized.observe(host);
    const shift = (): void => this.stage.shift();
    new MutationObserver(shift).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", shift);
    document.addEventListener("htmx:after:swap", () => this.read());
    // A piece that the page offers by a button is taken here.
    document.addEventListener(
      "click",
      (event) => {
        const button = (event.target as Element).closest<HTMLElement>("[data-grip]");
        if (!button || !this.wire.open || !this.may) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        this.take(Number(button.dataset.grip));
        this.stage.renderer.domElement.focus({ preventScroll: true });
      },
      true,
    );
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
    const source = document.getElementById("scene") ?? this.source;
    const before = this.told.fixed;
    this.told = JSON.parse(source.dataset.scene ?? "{}") as Told;
    if (!this.yard.group.userData.built || JSON.stringify(before) !== JSON.stringify(this.told.fixed)) {
      this.yard.build(this.told.fixed);
      this.yard.group.userData.built = true;
    }
    if (!this.wire.open) {
      this.phase = this.told.phase;
      this.seat = this.told.seat;
      const known = new Set(this.told.pieces.map((row) => row[0]));
      for (let piece = 0; piece < PIECES; piece++) if (!known.has(piece)) this.wire.history.drop(piece);
      for (const row of this.told.pieces) this.wire.history.set(row[0] ?? 0, poseOf(row, 1));
      this.findings = this.told.findings;
      this.turn = this.told.steps.length
        ? {
            kind: "build",
            pieces: this.told.steps.flat(),
            steps: this.told.steps,
            step: this.told.step,
            grips: this.told.grips,
            placed: this.told.placed,
          }
        : null;
    } else if (this.hand.piece === null) this.findings = this.told.findings;
    this.layOut();
    this.stage.moved();
  }

  private layOut(): void {
    const history = this.wire.history;
    const there = (piece: number): boolean => history.last(piece) !== undefined;
    const dead = new Set(this.told.dead);
    const supply = [];
    for (let piece = 0; piece < PIECES; piece++) if (!there(piece) && !dead.has(piece)) supply.push(piece);
    const steps = (this.turn?.steps ?? []).map((step) => step.filter((piece) => !there(piece)));
    this.yard.layOut(steps, supply, this.stage.quality !== "low" || !this.draws);
  }

  private get grips(): number[] {
    if (this.hand.piece !== null) return [];
    return this.draft ? this.draft.pieces : this.may ? (this.turn?.grips ?? []) : [];
  }

  /** What is taken if this is pointed at: a hat stands for its worker. */
  private ofTurn(piece: number): number | null {
    const grips = this.grips;
    if (grips.includes(piece)) return piece;
    if (kindOf(piece) !== "hat" || !(this.draft || this.turn?.pieces.includes(piece))) return null;
    const hat = this.yard.bodies[piece];
    const near = grips.find((other) => {
      const body = this.yard.bodies[other];
      return body && hat && kindOf(other) === "worker" && body.position.distanceTo(hat.position) < 26;
    });
    return near ?? null;
  }

  // -- what the site says -----------------------------------------------------------------------------------------

  private hello(m: Hello): void {
    this.endDraft();
    this.phase = m.phase;
    this.seat = m.seat;
    this.may = m.may;
    this.turn = building(m.turn);
    this.findings = m.findings;
    this.top = m.top;
    this.crash = null;
    this.hand.drop();
    if (m.held?.mine) {
      const pose = this.wire.history.last(m.held.piece);
      if (pose) this.hand.take(m.held.piece, P.fromArray(pose.p), new Quaternion(...pose.q));
    }
    this.over.time(m.seconds);
    this.begin();
    this.ask();
  }

  /** A new reel for what comes now. */
  private begin(): void {
    const poses: [number, ReturnType<typeof poseOf>][] = [];
    for (let piece = 0; piece < PIECES; piece++) {
      const pose = this.wire.history.last(piece);
      if (pose) poses.push([piece, pose]);
    }
    this.reel = new Film(poses);
    this.reelBegan = -1;
    this.layOut();
    this.stage.moved();
  }

  private ask(): void {
    this.over.holding(this.hand.piece !== null, false);
    if (this.hand.piece !== null) this.over.say("Carry it over the site.");
    else if (this.may && this.turn?.grips.length)
      this.over.say(this.turn.placed.length ? "" : `Take ${nameOf(this.turn.grips[0] ?? 0)} from the front of the table.`);
    else this.over.say("");
  }

  private gripped(piece: number, by: number, numbers: number[]): void {
    const pose = poseOf(numbers);
    const fresh = this.wire.history.last(piece) === undefined;
    if (fresh) this.wire.history.set(piece, pose);
    if (by === this.seat && this.hand.asked === piece) {
      this.hand.take(piece, P.fromArray(pose.p), new Quaternion(...pose.q));
      this.taken = performance.now();
      // Whatever was pressed to take it: the keys belong to the piece now.
      if (!document.activeElement?.closest(".pad3")) this.stage.renderer.domElement.focus({ preventScroll: true });
      if (!fresh) this.hand.move(0, 0, 18);
      this.over.say(`${cap(nameOf(piece))} is in your hand. Carry it over the site.`);
    } else this.over.say(`${this.who(by)} takes ${nameOf(piece)}.`);
    this.crash = null;
    this.layOut();
  }

  private who(seat: number): string {
    return seat === this.seat ? "Your other window" : (this.told.names[seat] ?? `Seat ${seat + 1}`);
  }

  private frame(s: State): void {
    if (this.draft) return;
    const h = this.hand;
    this.calm = s.quiet && s.held === null;
    if (h.piece !== null && s.held !== h.piece && performance.now() - this.taken > 400) h.drop();
    if (h.piece !== null && h.lowering) {
      h.p.z = s.want[2];
      if (s.borne && !this.wasBorne) this.over.say(`It ${words(s, 0)}. Let go with Enter.`, "good");
    }
    this.wasBorne = s.borne;
    if (h.piece === null) this.shadow = null;
    const frame = s as State & { poses: [number, ReturnType<typeof poseOf>][] };
    if (this.reel && frame.poses.length) {
      if (this.reelBegan < 0) this.reelBegan = s.tick;
      const t = (s.tick - this.reelBegan) / 60 + 0.02;
      if (t < 600) this.reel.add(t, frame.poses, s.held, s.accident);
    }
    this.over.holding(h.piece !== null, s.held !== null);
  }

  private wasBorne = false;

  private overSay(text: string, tone: Tone = ""): void {
    if (this.crash === null) this.over.say(text, tone);
  }

  private crashed(piece: number, told: string): void {
    this.crash = piece;
    this.hand.drop();
    this.over.holding(false, false);
    this.over.say(told || `Accident! ${cap(nameOf(piece))} fell.`, "bad crashed");
    this.close(piece);
  }

  /** The camera goes to where it happened, and knows the way back. */
  private close(piece: number): void {
    const pose = this.wire.history.last(piece);
    if (!pose) return;
    const { camera, orbit } = this.stage;
    this.before ??= [camera.position.clone(), orbit.target.clone()];
    const aim = new Vector3(...pose.p);
    aim.z = Math.max(10, aim.z * 0.6);
    const way = camera.position.clone().sub(aim).setZ(0).normalize();
    const eye = aim.clone().addScaledVector(way, 215).add(new Vector3(0, 0, 125));
    if (!still.matches) this.stage.fly(eye, aim, 0.7);
  }

  private rested(m: Rest): void {
    this.endDraft();
    const reel = this.reel;
    const crash = this.crash;
    this.hand.drop();
    this.settle(m.pieces, m.turn, m.top);
    this.phase = m.phase;
    this.may = m.hook === this.seat;
    this.findings = m.findings;
    if (m.accident && reel && reel.crash !== null) {
      // Once more, slowly: what fell, and from where.
      if (!still.matches && this.draws) this.cinema.show(reel, Math.max(0, reel.crash - 0.8), reel.crash + 0.7, 0.3);
      this.crashOver = performance.now();
    } else if (crash === null) {
      const open = m.findings.filter((f) => !f.met);
      if (m.back.length && !m.accident) this.over.say(`${cap(nameOf(m.back[0] ?? 0))} is back in the supply.`);
      else if (m.phase === "BUILD" && m.findings.length)
        this.over.say(open.length ? `Not yet: ${(open[0]?.words ?? "see the judge").replace(/^No: /, "")}` : "It stands, as the card asks.", open.length ? "" : "good");
      else this.over.say("");
    }
    this.over.holding(false, false);
  }

  /** When all had come to rest after an accident; what is shown again then ends before the camera goes home. */
  private crashOver = 0;

  private home(): void {
    this.crashOver = 0;
    if (this.before) this.stage.fly(this.before[0], this.before[1], still.matches ? 0 : 0.9);
    this.before = null;
    this.crash = null;
    this.over.say("");
    this.stage.stale = true;
  }

  private put(m: Placing): void {
    this.hand.drop();
    this.settle(m.pieces, m.turn, m.top);
    this.phase = m.phase;
    this.may = m.hook === this.seat;
    this.findings = m.findings;
    this.over.say("Put back.");
    this.over.holding(false, false);
  }

  private settle(pieces: number[][], turn: Turn | null, top: number): void {
    const history = this.wire.history;
    const there = new Set(pieces.map((row) => row[0]));
    for (let piece = 0; piece < PIECES; piece++) if (!there.has(piece)) history.drop(piece);
    for (const row of pieces) if (history.last(row[0] ?? 0) === undefined) history.set(row[0] ?? 0, poseOf(row, 1));
    this.turn = building(turn);
    this.top = top;
    this.begin();
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
    this.over.holding(false, false);
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
    if (this.draft) {
      const pose = this.wire.history.last(found);
      if (!pose) return;
      this.hand.take(found, P.fromArray(pose.p), new Quaternion(...pose.q));
      this.hand.move(0, 0, 30);
      this.over.holding(true, true);
      this.over.say(`${cap(nameOf(found))}: carry it, and let go.`);
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

  private release(): void {
    if (this.hand.piece === null) return;
    if (this.draft) {
      this.down();
      this.hand.drop();
      this.over.holding(false, false);
      this.stage.moved();
      return;
    }
    this.wire.release();
    this.over.say("Letting go.");
    this.hand.lower(false);
  }

  private cancel(): void {
    if (this.draft) this.release();
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
    const piece = this.hand.piece;
    const s = this.draft && piece !== null ? this.draft.state(piece) : this.wire.state;
    const body = piece === null ? undefined : this.yard.bodies[piece];
    if (piece === null || !s || !body) {
      const next = this.grips[0];
      return next === undefined ? "Nothing is in your hand." : `Nothing is in your hand. T takes ${nameOf(next)}.`;
    }
    const { x, y, z } = this.hand.p;
    const side = (v: number, plus: string, minus: string): string => `${Math.abs(Math.round(v))} ${v < 0 ? minus : plus}`;
    P.set(1, 0, 0).applyQuaternion(this.hand.q);
    const turned = Math.round((Math.atan2(P.y, P.x) * 180) / Math.PI);
    const place = `${side(x, "right", "left")}, ${side(y, "away", "near")}, ${Math.round(z - this.hand.low)} high`;
    const standing = Math.abs(P.z) > 0.7 ? "on end" : `turned ${turned} degrees`;
    return `${cap(nameOf(piece))}: ${place}, ${standing}; ${words(s, z - this.hand.low) || "nothing below"}.`;
  }

  private view(name: string, seconds = still.matches ? 0 : 0.55): void {
    const [around, up] = VIEWS[name] ?? [-68, 36];
    const narrow = this.stage.width < 600;
    const far = Math.max(narrow ? 700 : 640, this.top * 3 + 380) * (name === "top" ? 1.1 : 1);
    const [a, b] = [(around * Math.PI) / 180, (up * Math.PI) / 180];
    const aim = new Vector3(0, name === "front" || name === "side" ? 0 : -22, name === "top" ? 0 : Math.max(14, this.top * 0.45));
    const eye = new Vector3(Math.cos(a) * Math.cos(b), Math.sin(a) * Math.cos(b), Math.sin(b)).multiplyScalar(far).add(aim);
    this.before = null;
    this.stage.fly(eye, aim, seconds);
  }

  // -- pictures -----------------------------------------------------------------------------------------------------

  private picture(now: number): void {
    if (this.ended) return;
    requestAnimationFrame((next) => this.picture(next));
    const dt = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    this.controls.run(dt);
    this.stage.step(dt);
    const again = this.cinema.step(dt) ? this.cinema.film : null;
    if (again) this.crashOver = this.crashOver && now;
    else if (this.crashOver && now - this.crashOver > (still.matches ? 4000 : 1500)) this.home();
    const held = this.draft ? this.hand.piece : (this.wire.state?.held ?? null);
    const moved = this.yard.place((piece, place, turn) =>
      again
        ? again.at(piece, this.cinema.t, place, turn)
        : this.wire.history.at(piece, place, turn, piece === this.hand.piece ? 1 : 2),
    );
    if (moved) this.stage.moved();
    const s = this.draft && held !== null ? this.draft.state(held) : this.wire.state;
    const body = held !== null && !again ? this.yard.bodies[held] : undefined;
    if (body?.visible && s) this.holding(body, s);
    else if (this.shown) {
      this.cues.hide();
      this.shown = false;
      this.stage.stale = true;
    }
    this.paint(s, again !== null);
    if (this.draws) {
      if (this.stage.stale) {
        this.marks(again !== null);
        const inset = body && !this.over.plan.hidden ? { x: body.position.x, y: body.position.y, element: this.over.plan } : null;
        this.stage.draw(inset);
        this.drawn += 1;
      }
    } else {
      this.stage.scene.updateMatrixWorld();
      this.stage.camera.updateMatrixWorld();
    }
  }

  private shown = false;
  private shadow: Preview | null = null;
  private lookedAhead = 0;

  private holding(body: Yard["bodies"][number], s: State): void {
    const mine = this.hand.piece === body.userData.piece;
    const told = this.wire.history.last(body.userData.piece);
    const at = told ? P.fromArray(told.p).clone() : body.position.clone();
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

  private paint(s: State | null, again: boolean): void {
    const lines: [number, string][] = [];
    const add = (piece: number, ink: string): void => {
      if (piece < PIECES && !lines.some(([other]) => other === piece)) lines.push([piece, ink]);
    };
    if (this.crash !== null) add(this.crash, "#e02a12");
    for (const piece of this.lit) if (piece !== s?.held) add(piece, "#ffb000");
    if (s?.held !== null && !again) for (const piece of s?.touch ?? []) add(piece, "#ff9d2e");
    const pointed = this.hover === null ? null : this.ofTurn(this.hover);
    const soft = pointed ?? this.chosen;
    if (soft !== null && this.grips.includes(soft)) add(soft, "#ffc845");
    const told = lines.map((line) => line.join()).join(" ");
    if (told !== this.painted) {
      for (const piece of this.glowing) this.yard.glow(piece, "#ffb13d", 0);
      this.glowing = lines.map(([piece]) => piece);
      for (const [piece, ink] of lines) this.yard.glow(piece, ink, ink === "#e02a12" ? 0.9 : 0.4);
      this.painted = told;
      this.stage.stale = true;
    }
    if (this.yard.outline(lines)) this.stage.stale = true;
  }

  /** Pictures so far. */
  drawn = 0;
  private painted = "";
  private glowing: number[] = [];

  /** The judge's opinion on the pieces that it is about, once all is at rest. */
  private marks(again: boolean): void {
    const marks: { at: Vector3; met: boolean; title: string }[] = [];
    const fresh = this.turn?.placed ?? [];
    if (!again && this.calm && this.phase === "BUILD" && fresh.length && this.hand.piece === null) {
      const wrong = new Map<number, string>();
      for (const f of this.findings) if (!f.met) for (const piece of f.pieces) wrong.set(piece, (f.words ?? f.code).replace(/^No: /, ""));
      const named = new Set([...wrong.keys(), ...fresh.filter((piece) => kindOf(piece) !== "hat")]);
      const open = this.findings.some((f) => !f.met);
      for (const piece of named) {
        const body = this.yard.bodies[piece];
        if (!body?.visible) continue;
        if (open && !wrong.has(piece)) continue;
        const at = body.position.clone();
        at.z += reachBelow(body.userData.kind, body.quaternion) + 4;
        marks.push({ at, met: !wrong.has(piece), title: wrong.get(piece) ?? "as the card asks" });
      }
    }
    this.over.mark(marks);
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
      body: (piece: number) => this.yard.bodies[piece]?.position.toArray(),
      seen: (piece: number) => !!this.yard.bodies[piece]?.visible,
      turn: this.turn,
      film: this.cinema.film && { t: this.cinema.t, seconds: this.cinema.film.seconds, pieces: this.cinema.film.pieces },
      draft: this.draft?.rows() ?? null,
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

