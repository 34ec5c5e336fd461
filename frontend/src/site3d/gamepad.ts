// A gamepad in the standard layout: sticks, triggers and shoulders carry and turn, four buttons do the rest.
import { Vector3 } from "three";
import type { Controls } from "./controls";

/** Buttons by the standard's numbers. */
const BELOW = 0;
const RIGHT = 1;
const LEFT = 2;
const ABOVE = 3;
const SHOULDER_L = 4;
const SHOULDER_R = 5;
const TRIGGER_L = 6;
const TRIGGER_R = 7;
const STICK_R = 11;
const CROSS: [number, string][] = [
  [12, "far"],
  [13, "near"],
  [14, "left"],
  [15, "right"],
];
/** Sticks never stand quite still. */
const SLACK = 0.12;
/** In a second: millimetres carried and raised, radians turned and looked around. */
const SPEED = { carry: 110, raise: 80, turn: 1.4, yaw: 1.8, pitch: 1.2 };
const V = new Vector3();

export class Gamepads {
  /** What the one that is used calls itself, or nothing. */
  id = "";
  private readonly was = new Set<number>();
  private lowering = false;

  constructor(private readonly controls: Controls) {}

  run(dt: number): void {
    const pad = navigator.getGamepads?.().find((found) => found?.connected && found.mapping === "standard") ?? null;
    if ((pad?.id ?? "") !== this.id) {
      this.id = pad?.id ?? "";
      this.was.clear();
      if (this.lowering) this.lower(false);
      this.controls.plugged(this.id);
    }
    if (pad) this.read(pad, dt);
  }

  private read(pad: Gamepad, dt: number): void {
    const { controls } = this;
    const { hand, moves } = controls;
    const axis = (i: number): number => {
      const v = pad.axes[i] ?? 0;
      return Math.abs(v) < SLACK ? 0 : Math.sign(v) * ((Math.abs(v) - SLACK) / (1 - SLACK)) ** 2;
    };
    const now = pad.buttons.map((button) => button.pressed || button.value > 0.5);
    const hit = (i: number): boolean => !!now[i] && !this.was.has(i);
    const [x, y, yaw, pitch] = [axis(0), axis(1), axis(2), axis(3)];
    if (x || y || yaw || pitch || now.some(Boolean)) controls.use("pad");
    if (yaw || pitch) this.look(yaw * dt * SPEED.yaw, pitch * dt * SPEED.pitch);
    if (hit(STICK_R)) moves.view("round");
    if (hand.piece === null) {
      if (hit(BELOW)) moves.takeNext();
      else if (hit(14) || hit(12)) moves.next(-1);
      else if (hit(15) || hit(13)) moves.next(1);
    } else {
      const value = (i: number): number => pad.buttons[i]?.value ?? 0;
      if (x) controls.step("right", x * SPEED.carry * dt);
      if (y) controls.step("near", y * SPEED.carry * dt);
      const rise = value(TRIGGER_R) - value(TRIGGER_L);
      if (Math.abs(rise) > 0.05) hand.move(0, 0, rise * SPEED.raise * dt);
      const turn = value(SHOULDER_L) - value(SHOULDER_R);
      if (turn) hand.turn(turn * SPEED.turn * dt);
      for (const [button, move] of CROSS) {
        if (!hit(button)) continue;
        controls.step(move, 1);
        moves.stepped();
      }
      if (!!now[LEFT] !== this.lowering) this.lower(!!now[LEFT]);
      if (hit(BELOW)) moves.release();
      else if (hit(RIGHT)) moves.cancel();
      else if (hit(ABOVE)) moves.tip();
    }
    now.forEach((down, i) => {
      if (down) this.was.add(i);
      else this.was.delete(i);
    });
  }

  private lower(on: boolean): void {
    this.lowering = on;
    this.controls.hand.lower(on);
  }

  /** The camera goes around what it looks at. */
  private look(yaw: number, pitch: number): void {
    const { camera, orbit } = this.controls.stage;
    this.controls.stage.halt();
    V.copy(camera.position).sub(orbit.target);
    const far = V.length();
    const flat = Math.atan2(V.y, V.x) - yaw;
    const up = Math.min(1.5, Math.max(0.06, Math.asin(V.z / far) + pitch));
    camera.position.set(
      orbit.target.x + far * Math.cos(up) * Math.cos(flat),
      orbit.target.y + far * Math.cos(up) * Math.sin(flat),
      orbit.target.z + far * Math.sin(up),
    );
    this.controls.stage.stale = true;
  }
}
