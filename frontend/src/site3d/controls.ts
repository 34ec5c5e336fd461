// Mouse, touch, keys and gamepad. Whatever has no pointer goes by steps, and is told where it is.
import { Raycaster, Vector2, Vector3 } from "three";
import type { Hand } from "./hand";
import type { Stage } from "./stage";
import type { Yard } from "./yard";

export type Moves = {
  /** May something be taken now, and does this hand hold it? */
  takes: (piece: number) => boolean;
  take: (piece: number) => void;
  next: (by: number) => void;
  takeNext: () => void;
  release: () => void;
  cancel: () => void;
  where: () => void;
  stepped: () => void;
  view: (name: string) => void;
  hover: (piece: number | null) => void;
  look: (piece: number | null) => void;
};

const V = new Vector3();
const KEYS: Record<string, string> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "far",
  ArrowDown: "near",
  PageUp: "up",
  PageDown: "down",
  KeyQ: "turnl",
  KeyE: "turnr",
};

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("textarea, select, input, summary, [contenteditable]");
}

export class Controls {
  readonly down = new Set<string>();
  /** Millimetres of one step; 0: keys move as long as they are pressed. */
  stepping = 0;
  private readonly ray = new Raycaster();
  private readonly pointers = new Map<number, [number, number]>();
  private mode: "move" | "turn" | "two" | null = null;
  private pinch: { a: number; y: number } | null = null;
  private pressed = "";
  private readonly ended = new AbortController();

  constructor(
    private readonly stage: Stage,
    private readonly yard: Yard,
    private readonly hand: Hand,
    private readonly moves: Moves,
  ) {
    const canvas = stage.renderer.domElement;
    const on = { signal: this.ended.signal, capture: true } as const;
    canvas.addEventListener("pointerdown", (event) => this.press(event), on);
    canvas.addEventListener("pointermove", (event) => this.drag(event), on);
    canvas.addEventListener("pointerrawupdate", (event) => this.drag(event as PointerEvent), on);
    for (const type of ["pointerup", "pointercancel"] as const) {
      canvas.addEventListener(type, (event) => this.lift(event), on);
    }
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), on);
    canvas.addEventListener("wheel", (event) => this.wheel(event), { ...on, passive: false });
    document.addEventListener("keydown", (event) => this.key(event), on);
    document.addEventListener("keyup", (event) => this.keyUp(event), on);
    // The window's own, not that of something in it.
    addEventListener("blur", () => this.letUp(), { signal: this.ended.signal });
  }

  dispose(): void {
    this.ended.abort();
  }

  letUp(): void {
    this.down.clear();
    this.hand.lower(false);
  }

  // -- pointer --------------------------------------------------------------------------------------------------

  private at(event: PointerEvent | MouseEvent): [number, number] {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private pick(event: MouseEvent, among: number[] | null): number | null {
    const [x, y] = this.at(event);
    this.ray.setFromCamera(new Vector2((x / this.stage.width) * 2 - 1, 1 - (y / this.stage.height) * 2), this.stage.camera);
    const bodies = this.yard.bodies.filter((b) => b.visible && (!among || among.includes(b.userData.piece)));
    const hit = this.ray.intersectObjects(bodies, false)[0];
    return hit ? (hit.object.userData.piece as number) : null;
  }

  /** On the held piece, or so near that no other wish is likely. */
  private near(event: MouseEvent, slack: number): boolean {
    const held = this.hand.piece;
    const body = held === null ? undefined : this.yard.bodies[held];
    if (held === null || !body) return false;
    if (this.pick(event, [held]) !== null) return true;
    const [x, y] = this.at(event);
    const half = { girder: 90, beam: 30, worker: 22, support: 25, brick: 8, hat: 8 }[body.userData.kind];
    for (let i = -4; i <= 4; i++) {
      V.set((half * i) / 4, 0, 0).applyQuaternion(body.quaternion).add(body.position).project(this.stage.camera);
      const dx = ((V.x + 1) / 2) * this.stage.width - x;
      const dy = ((1 - V.y) / 2) * this.stage.height - y;
      if (Math.hypot(dx, dy) < slack) return true;
    }
    return false;
  }

  private press(event: PointerEvent): void {
    const canvas = this.stage.renderer.domElement;
    this.pressed = event.pointerType;
    canvas.focus({ preventScroll: true });
    this.stage.halt();
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const touch = event.pointerType === "touch";
    this.mode = null;
    if (this.hand.piece !== null) {
      if (this.pointers.size > 1) this.mode = "two";
      else if (event.button === 2) this.mode = "turn";
      else if (event.button === 0 && !event.altKey && this.near(event, touch ? 60 : 36)) this.mode = "move";
    } else if (event.button === 0) {
      const piece = this.pick(event, null);
      if (piece !== null && this.moves.takes(piece)) {
        this.moves.take(piece);
        this.mode = "move";
      } else this.moves.look(piece);
    }
    this.pinch = null;
    this.stage.orbit.enabled = this.mode === null;
    if (this.mode) {
      canvas.setPointerCapture(event.pointerId);
      event.stopImmediatePropagation();
    }
  }

  private drag(event: PointerEvent): void {
    const last = this.pointers.get(event.pointerId);
    if (!last) {
      if (event.type === "pointermove") this.over(event);
      return;
    }
    const k = event.shiftKey ? 0.2 : 1;
    const dx = (event.clientX - last[0]) * k;
    const dy = (event.clientY - last[1]) * k;
    last[0] = event.clientX;
    last[1] = event.clientY;
    if (this.hand.piece === null || !this.mode || (!dx && !dy)) return;
    if (this.mode === "move") {
      if (event.ctrlKey) this.hand.move(0, 0, -dy * 0.5);
      else this.slide(dx, dy);
    } else if (this.mode === "turn") this.hand.turn(dx * 0.008);
    else if (this.pointers.size === 2) this.twist();
  }

  /** Two fingers: their twist turns, up and down lifts. */
  private twist(): void {
    const [a, b] = [...this.pointers.values()];
    if (!a || !b) return;
    const now = { a: Math.atan2(b[1] - a[1], b[0] - a[0]), y: (a[1] + b[1]) / 2 };
    if (this.pinch) {
      let turned = now.a - this.pinch.a;
      if (turned > Math.PI) turned -= 2 * Math.PI;
      if (turned < -Math.PI) turned += 2 * Math.PI;
      this.hand.turn(-turned);
      this.hand.move(0, 0, (this.pinch.y - now.y) * 0.4);
    }
    this.pinch = now;
  }

  private lift(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    this.pinch = null;
    if (!this.pointers.size) {
      this.mode = null;
      this.stage.orbit.enabled = true;
    } else if (this.mode === "two") this.mode = "move";
  }

  private over(event: PointerEvent): void {
    const canvas = this.stage.renderer.domElement;
    if (event.pointerType === "touch") return;
    if (this.hand.piece !== null) {
      canvas.style.cursor = this.near(event, 36) ? "move" : "";
      return;
    }
    const piece = this.pick(event, null);
    const takes = piece !== null && this.moves.takes(piece);
    canvas.style.cursor = takes ? "grab" : "";
    this.moves.hover(piece);
  }

  private wheel(event: WheelEvent): void {
    if (this.hand.piece === null || event.ctrlKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const d = event.deltaY || event.deltaX;
    this.hand.move(0, 0, -Math.sign(d) * Math.min(2, Math.abs(d) / 50) * 2.5 * (event.shiftKey ? 0.12 : 1));
  }

  /** Pixels become millimetres at the piece's depth; up on the screen is away. */
  private slide(dx: number, dy: number): void {
    const far = this.stage.camera.position.distanceTo(this.hand.p);
    const mm = (2 * far * Math.tan((this.stage.camera.fov * Math.PI) / 360)) / this.stage.height;
    const look = this.stage.camera.getWorldDirection(V);
    const pitch = Math.max(0.35, -look.z);
    look.z = 0;
    look.normalize();
    this.hand.move(mm * (dx * look.y - (dy / pitch) * look.x), mm * (-dx * look.x - (dy / pitch) * look.y));
  }

  // -- keys -----------------------------------------------------------------------------------------------------

  private key(event: KeyboardEvent): void {
    if (typing(event.target) || event.metaKey || event.altKey) return;
    const holds = this.hand.piece !== null;
    const target = event.target as HTMLElement;
    const onButton = target.matches("button, a");
    const ours = !!target.closest(".stage");
    const used = (): void => {
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    if (event.key === "Shift") this.down.add("fine");
    const move = KEYS[event.code];
    if (holds && move) {
      used();
      const step = event.ctrlKey ? 1 : this.stepping * (event.shiftKey ? 0.2 : 1);
      if (step) {
        this.step(move, step);
        this.moves.stepped();
      } else this.down.add(move);
    } else if (event.ctrlKey) return;
    else if (event.code === "Space" && holds && (!onButton || ours) && !target.matches(".pad3 button")) {
      used();
      this.hand.lower(true);
    } else if (event.code === "Enter" && holds && (!onButton || target.matches("[data-grip]"))) {
      used();
      if (!event.repeat) this.moves.release();
    } else if (event.code === "Escape" && holds) {
      used();
      this.moves.cancel();
    } else if (event.repeat) return;
    else if (event.code === "KeyR" && holds) {
      used();
      this.hand.tip();
      this.moves.stepped();
    } else if (event.code === "KeyW") {
      used();
      this.moves.where();
    } else if (event.code === "KeyT" && !holds) {
      used();
      this.moves.takeNext();
    } else if ((event.code === "KeyN" || event.code === "KeyP") && !holds && ours) {
      used();
      this.moves.next(event.code === "KeyN" ? 1 : -1);
    } else if (/^Digit[5-8]$/.test(event.code)) {
      used();
      this.moves.view(["front", "side", "top", "round"][Number(event.code.slice(5)) - 5] ?? "round");
    }
  }

  private keyUp(event: KeyboardEvent): void {
    if (event.code === "Space") this.hand.lower(false);
    const move = KEYS[event.code];
    if (move) this.down.delete(move);
    if (event.key === "Shift") this.down.delete("fine");
  }

  /** One step of so many millimetres, or a tenth of so many degrees. */
  step(move: string, mm: number): void {
    const [right, far] = this.ways();
    const h = this.hand;
    if (move === "left") h.move(-right.x * mm, -right.y * mm);
    else if (move === "right") h.move(right.x * mm, right.y * mm);
    else if (move === "far") h.move(far.x * mm, far.y * mm);
    else if (move === "near") h.move(-far.x * mm, -far.y * mm);
    else if (move === "up") h.move(0, 0, mm);
    else if (move === "down") h.move(0, 0, -mm);
    else if (move === "turnl") h.turn((mm * Math.PI) / 180);
    else if (move === "turnr") h.turn((-mm * Math.PI) / 180);
  }

  /** To the right and away, as the camera sees them; by steps along the table's own axes. */
  private ways(): [Vector2, Vector2] {
    const look = this.stage.camera.getWorldDirection(V);
    let angle = Math.atan2(look.y, look.x);
    if (this.stepping) angle = (Math.round(angle / (Math.PI / 2)) * Math.PI) / 2;
    const far = new Vector2(Math.cos(angle), Math.sin(angle));
    return [new Vector2(far.y, -far.x), far];
  }

  /** Whatever is pressed down moves the piece; called before every picture. */
  run(dt: number): void {
    this.gamepad(dt);
    if (this.hand.piece === null || !this.down.size) return;
    const k = this.down.has("fine") ? 0.15 : 1;
    for (const move of this.down) {
      if (move !== "fine") this.step(move, move.startsWith("turn") ? 63 * k * dt : 70 * k * dt);
    }
  }

  // -- gamepad --------------------------------------------------------------------------------------------------

  private readonly was = new Set<number>();

  private gamepad(dt: number): void {
    const pad = navigator.getGamepads?.().find((found) => found?.connected && found.mapping === "standard");
    if (!pad) return;
    const axis = (i: number): number => {
      const v = pad.axes[i] ?? 0;
      return Math.abs(v) < 0.12 ? 0 : Math.sign(v) * ((Math.abs(v) - 0.12) / 0.88) ** 2;
    };
    const held = (i: number): number => pad.buttons[i]?.value ?? 0;
    const hit = (i: number): boolean => {
      const now = !!pad.buttons[i]?.pressed;
      const fresh = now && !this.was.has(i);
      if (now) this.was.add(i);
      else this.was.delete(i);
      return fresh;
    };
    const [x, y, rx, ry] = [axis(0), axis(1), axis(2), axis(3)];
    if (rx || ry) this.spin(rx * dt * 1.8, ry * dt * 1.2);
    const [a, b, tip, lower] = [hit(0), hit(1), hit(3), hit(2)];
    if (this.hand.piece === null) {
      if (a) this.moves.takeNext();
      return;
    }
    if (a) this.moves.release();
    else if (b) this.moves.cancel();
    else if (tip) this.hand.tip();
    if (lower) this.hand.lower(true);
    else if (this.hand.lowering && this.pressed !== "pad" && !this.was.has(2) && held(2) === 0 && this.padLowered) this.hand.lower(false);
    this.padLowered = this.was.has(2);
    const rise = held(7) - held(6);
    const turn = held(4) - held(5);
    const v = 110 * dt;
    if (x) this.step("right", x * v);
    if (y) this.step("near", y * v);
    if (Math.abs(rise) > 0.05) this.hand.move(0, 0, rise * 80 * dt);
    if (turn) this.hand.turn(turn * 1.4 * dt);
  }

  private padLowered = false;

  private spin(yaw: number, pitch: number): void {
    const { camera, orbit } = this.stage;
    V.copy(camera.position).sub(orbit.target);
    const far = V.length();
    const flat = Math.atan2(V.y, V.x) - yaw;
    const up = Math.min(1.5, Math.max(0.06, Math.asin(V.z / far) + pitch));
    camera.position.set(
      orbit.target.x + far * Math.cos(up) * Math.cos(flat),
      orbit.target.y + far * Math.cos(up) * Math.sin(flat),
      orbit.target.z + far * Math.sin(up),
    );
    this.stage.stale = true;
  }
}
