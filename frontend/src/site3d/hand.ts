// The hand: where the piece is wanted. It is known here at once; the site follows it as fast as a hand can.
import { MathUtils, Quaternion, Vector3 } from "three";
import { kindOf } from "./pieces";
import type { Pose } from "./wire";
import { reachBelow } from "./yard";

const REACH = 338;
const CEILING = 690;
/** Milliseconds between two wishes that are sent. */
const PACE = 14;
/** A wish is never farther from the one before, mm. */
const STEP = 200;
const V = new Vector3();
const T = new Quaternion();
const UP = new Vector3(0, 0, 1);
const OVER = new Vector3(0, 1, 0);
const AXES = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
/** What leans by less than this, in radians, stands straight to the eye. */
const STRAIGHT = 0.02;

/** Who follows the hand: the site, or a draft of one. */
export type Follower = { readonly ack: number; target: (p: Vector3, q: Quaternion, lower: boolean) => number };

export class Hand {
  piece: number | null = null;
  readonly p = new Vector3();
  readonly q = new Quaternion();
  lowering = false;
  /** A piece has been asked for and has not come yet. */
  asked: number | null = null;
  private wishes: { seq: number; p: Vector3 }[] = [];
  private readonly sent = new Vector3();
  private last = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly wire: Follower) {}

  take(piece: number, p: Vector3, q: Quaternion): void {
    this.piece = piece;
    this.asked = null;
    this.p.copy(p);
    this.q.copy(q);
    this.sent.copy(p);
    this.lowering = false;
    this.wishes = [];
  }

  takeAt(piece: number, pose: Pose): void {
    this.take(piece, V.fromArray(pose.p), T.fromArray(pose.q));
  }

  drop(): void {
    this.piece = null;
    this.lowering = false;
    this.wishes = [];
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  get low(): number {
    return this.piece === null ? 0 : reachBelow(kindOf(this.piece), this.q);
  }

  /** Carry it by so many millimetres; what is carried upwards is no longer lowered. */
  move(x: number, y: number, z = 0): void {
    if (z) this.lowering = false;
    this.p.set(this.p.x + x, this.p.y + y, this.p.z + z);
    this.send();
  }

  turn(angle: number): void {
    this.q.premultiply(T.setFromAxisAngle(UP, angle));
    this.send();
  }

  tip(): void {
    this.q.multiply(T.setFromAxisAngle(OVER, Math.PI / 2));
    this.send();
  }

  /** It was taken up from where it lay aslant, and no side of it is upright. */
  get leans(): boolean {
    return this.piece !== null && Math.abs(this.steepest().z) < Math.cos(STRAIGHT);
  }

  /** The side that is nearly upright becomes quite so; it keeps its direction. */
  level(): void {
    const side = this.steepest();
    this.q.premultiply(T.setFromUnitVectors(side, side.z < 0 ? UP.clone().negate() : UP));
    this.send();
  }

  /** The side that is nearest to the vertical, as it points now. */
  private steepest(): Vector3 {
    const sides = AXES.map((axis) => axis.clone().applyQuaternion(this.q));
    return sides.reduce((best, side) => (Math.abs(side.z) > Math.abs(best.z) ? side : best));
  }

  lower(on: boolean): void {
    if (this.piece === null || this.lowering === on) return;
    this.lowering = on;
    this.send();
  }

  /** What is shown runs ahead of the site by what the site has not heard yet. */
  lead(): Vector3 {
    let base: Vector3 | null = null;
    for (const wish of this.wishes) if (wish.seq <= this.wire.ack) base = wish.p;
    return base ? V.copy(this.p).sub(base) : V.set(0, 0, 0);
  }

  send(): void {
    if (this.piece === null) return;
    this.p.x = MathUtils.clamp(this.p.x, -REACH, REACH);
    this.p.y = MathUtils.clamp(this.p.y, -REACH, REACH);
    this.p.z = MathUtils.clamp(this.p.z, this.low - 0.5, CEILING);
    if (this.timer !== undefined) return;
    const wait = this.last + PACE - performance.now();
    if (wait > 0) this.timer = setTimeout(() => this.now(), wait);
    else this.now();
  }

  private now(): void {
    this.timer = undefined;
    if (this.piece === null) return;
    this.last = performance.now();
    const step = V.copy(this.p).sub(this.sent);
    const far = step.length();
    if (far > STEP) this.sent.addScaledVector(step, STEP / far);
    else this.sent.copy(this.p);
    const seq = this.wire.target(this.sent, this.q, this.lowering);
    this.wishes.push({ seq, p: this.sent.clone() });
    if (this.wishes.length > 120) this.wishes.shift();
    if (far > STEP) this.send();
  }
}
