// Whatever moves the piece in the hand: pointers, keys, a gamepad, buttons. Here it becomes millimetres and degrees.
import { Vector2, Vector3 } from "three";
import { Gamepads } from "./gamepad";
import type { Hand } from "./hand";
import type { Device } from "./hints";
import { Keyboard } from "./keyboard";
import { Pointers } from "./pointer";
import type { Stage } from "./stage";
import type { Yard } from "./yard";

export type Moves = {
  /** May something be taken now? */
  takes: (piece: number) => boolean;
  take: (piece: number) => void;
  next: (by: number) => void;
  takeNext: () => void;
  tip: () => void;
  release: () => void;
  cancel: () => void;
  where: () => void;
  stepped: () => void;
  view: (name: string) => void;
  hover: (piece: number | null) => void;
  look: (piece: number | null) => void;
  /** Another device is used than before. pad: what the gamepad that is plugged in calls itself, or nothing. */
  device: (used: Device, pad: string) => void;
};

const V = new Vector3();
/** Of a press that lasts: millimetres or degrees in a second; and the part of it that is fine work. */
const SPEED = { carry: 70, turn: 63, fine: 0.15 };

export class Controls {
  /** Moves whose keys or buttons are down. */
  readonly down = new Set<string>();
  /** Millimetres of one step; 0: keys move as long as they are pressed. */
  stepping = 0;
  used: Device = matchMedia("(pointer: coarse)").matches ? "touch" : "mouse";
  private readonly pads: Gamepads;
  private readonly ended = new AbortController();

  constructor(
    readonly stage: Stage,
    yard: Yard,
    readonly hand: Hand,
    readonly moves: Moves,
  ) {
    const { signal } = this.ended;
    this.pads = new Gamepads(this);
    new Pointers(this, yard, signal);
    new Keyboard(this, signal);
    // The window's own, not that of something in it.
    addEventListener("blur", () => this.letUp(), { signal });
  }

  dispose(): void {
    this.ended.abort();
  }

  letUp(): void {
    this.down.clear();
    this.hand.lower(false);
  }

  use(device: Device): void {
    if (device === this.used) return;
    this.used = device;
    this.moves.device(device, this.pads.id);
  }

  /** A gamepad has been plugged in, or the last one pulled out. */
  plugged(id: string): void {
    if (!id && this.used === "pad") this.used = matchMedia("(pointer: coarse)").matches ? "touch" : "mouse";
    else if (id) this.used = "pad";
    this.moves.device(this.used, id);
  }

  /** One step of so many millimetres, or of so many degrees. */
  step(move: string, size: number): void {
    const [right, far] = this.ways();
    const h = this.hand;
    if (move === "left") h.move(-right.x * size, -right.y * size);
    else if (move === "right") h.move(right.x * size, right.y * size);
    else if (move === "far") h.move(far.x * size, far.y * size);
    else if (move === "near") h.move(-far.x * size, -far.y * size);
    else if (move === "up") h.move(0, 0, size);
    else if (move === "down") h.move(0, 0, -size);
    else if (move === "turnl") h.turn((size * Math.PI) / 180);
    else if (move === "turnr") h.turn((-size * Math.PI) / 180);
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
    this.pads.run(dt);
    if (this.hand.piece === null || !this.down.size) return;
    const k = this.down.has("fine") ? SPEED.fine : 1;
    for (const move of this.down) {
      if (move !== "fine") this.step(move, (move.startsWith("turn") ? SPEED.turn : SPEED.carry) * k * dt);
    }
  }
}
