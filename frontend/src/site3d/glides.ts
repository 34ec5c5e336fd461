// What changes its place without anybody's hand: fetched from the supply, taken away, pushed back. It goes in an arc.
import { Quaternion, Vector3 } from "three";
import { kindOf } from "./pieces";
import type { Pose } from "./wire";
import type { Yard } from "./yard";

type Going = { from: Pose; wait: number; t: number; seconds: number };
export type Seen = Map<number, Pose>;

/** Where a piece goes that is shown nowhere any more: off the back of the table. */
const AWAY = 420;
/** Millimetres that are no way to go. */
const NEAR = 6;
const A = new Vector3();
const B = new Vector3();
const Q = new Quaternion();

export class Glides {
  private readonly going = new Map<number, Going>();

  /** whither: where a piece is to be shown; null: nowhere. */
  constructor(
    private readonly yard: Yard,
    private readonly whither: (piece: number) => Pose | null,
  ) {}

  get pieces(): number[] {
    return [...this.going.keys()];
  }

  /** Where everything is shown, before it changes. */
  seen(): Seen {
    const found: Seen = new Map();
    for (const body of this.yard.bodies) {
      if (body.visible) found.set(body.userData.piece, { p: body.position.toArray(), q: body.quaternion.toArray() as Pose["q"] });
    }
    return found;
  }

  /** What is shown elsewhere than it has to be. */
  elsewhere(before: Seen): number[] {
    return [...before.keys()].filter((piece) => {
      const [from, to] = [before.get(piece), this.whither(piece)];
      return from && (!to || A.set(...from.p).distanceTo(B.set(...to.p)) > NEAR);
    });
  }

  /** Let these set out from where they were, one after another; a worker and his hardhat together. */
  begin(before: Seen, pieces: number[]): void {
    const fresh = pieces.filter((piece) => !this.going.has(piece));
    const pause = Math.min(0.08, 1.5 / Math.max(1, fresh.length));
    const waits = new Map<number, number>();
    for (const piece of fresh) if (kindOf(piece) !== "hat") waits.set(piece, waits.size * pause);
    for (const piece of fresh) {
      const from = before.get(piece);
      if (!from) continue;
      const wearer = [...waits.keys()].find((other) => {
        const at = before.get(other);
        return at && kindOf(other) === "worker" && A.set(...at.p).distanceTo(B.set(...from.p)) < 30;
      });
      const wait = waits.get(piece) ?? (wearer === undefined ? 0 : (waits.get(wearer) ?? 0));
      const to = this.whither(piece)?.p ?? [from.p[0], AWAY, 0];
      const seconds = 0.42 + A.set(...from.p).distanceTo(B.set(...to)) / 1800;
      this.going.set(piece, { from, wait, t: 0, seconds });
    }
  }

  /** A hand has it now, or all of them are where they belong. */
  end(piece?: number): void {
    if (piece === undefined) this.going.clear();
    else this.going.delete(piece);
  }

  step(dt: number): void {
    for (const [piece, going] of this.going) {
      going.t += dt;
      if (going.t >= going.wait + going.seconds) this.going.delete(piece);
    }
  }

  /** Where a piece is on its way; false if it is on none. */
  at(piece: number, place: Vector3, turn: Quaternion): boolean {
    const going = this.going.get(piece);
    if (!going) return false;
    const to = this.whither(piece) ?? { p: [going.from.p[0], AWAY, 0] as Pose["p"], q: going.from.q };
    const u = Math.min(1, Math.max(0, (going.t - going.wait) / going.seconds));
    const k = u * u * (3 - 2 * u);
    A.set(...going.from.p);
    B.set(...to.p);
    place.lerpVectors(A, B, k);
    place.z += (26 + A.distanceTo(B) * 0.14) * 4 * u * (1 - u);
    turn.fromArray(going.from.q).slerp(Q.fromArray(to.q), k);
    return true;
  }
}
