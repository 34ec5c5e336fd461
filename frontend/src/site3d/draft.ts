// A starting site of one's own, laid out without gravity; the site's own laws have their say when it is handed in.
import { Quaternion, Raycaster, Vector3 } from "three";
import { HAT_SEAT, kindOf, PARTS } from "./pieces";
import type { History, Placed, Pose, State } from "./wire";
import { poseOf } from "./wire";
import type { Yard } from "./yard";

const DOWN = new Vector3(0, 0, -1);
const P = new Vector3();

export class Draft {
  readonly pieces: number[];
  private readonly poses = new Map<number, Pose>();
  private readonly ray = new Raycaster();

  constructor(
    rows: Placed[],
    private readonly yard: Yard,
    private readonly history: History,
  ) {
    for (const row of rows) this.set(row[0] ?? 0, poseOf(row, 1));
    this.pieces = rows.map((row) => row[0] ?? 0).filter((piece) => kindOf(piece) !== "hat");
  }

  /** Put a piece somewhere; a worker takes his hardhat along. */
  set(piece: number, pose: Pose): void {
    this.poses.set(piece, pose);
    this.history.set(piece, pose);
    const hat = [...this.poses.keys()].find((other) => kindOf(other) === "hat");
    if (kindOf(piece) !== "worker" || hat === undefined) return;
    P.set(...HAT_SEAT).applyQuaternion(new Quaternion(...pose.q));
    const p: Pose["p"] = [pose.p[0] + P.x, pose.p[1] + P.y, pose.p[2] + P.z];
    this.poses.set(hat, { p, q: pose.q });
    this.history.set(hat, { p, q: pose.q });
  }

  /** How far a piece could fall straight down. */
  gap(piece: number): number {
    const pose = this.poses.get(piece);
    if (!pose) return 0;
    const turn = new Quaternion(...pose.q);
    const others = this.yard.bodies.filter(
      (body) => body.visible && this.poses.has(body.userData.piece) && body.userData.piece !== piece && kindOf(body.userData.piece) !== "hat",
    );
    let least = Infinity;
    for (const part of PARTS[kindOf(piece)]) {
      for (let i = 0; i < 75; i++) {
        // Points all through the part, close to its faces: the lowest of them decide.
        const at = [(i % 5) / 2 - 1, (Math.floor(i / 5) % 3) - 1, Math.floor(i / 15) / 2 - 1] as const;
        P.set(
          part.centre[0] + at[0] * (part.size[0] / 2 - 0.2),
          part.centre[1] + at[1] * (part.size[1] / 2 - 0.2),
          part.centre[2] + at[2] * (part.size[2] / 2),
        );
        P.applyQuaternion(turn).add(new Vector3(...pose.p));
        this.ray.set(P, DOWN);
        const hit = this.ray.intersectObjects([...others, ...this.yard.solid.children], false)[0];
        least = Math.min(least, P.z, hit ? hit.distance : Infinity);
      }
    }
    return Math.max(0, least);
  }

  /** What the cues need to know of the piece in the hand. */
  state(piece: number): State {
    const p = this.poses.get(piece)?.p ?? [0, 0, 0];
    const gap = this.gap(piece);
    return {
      tick: 0,
      held: piece,
      accident: false,
      quiet: false,
      borne: gap < 0.3,
      fading: false,
      other: false,
      lowering: false,
      gap,
      want: [...p],
      land: [p[0], p[1]],
      touch: [],
    };
  }

  /** As the site wants to be told. */
  rows(): [number, ...number[]][] {
    return [...this.poses].map(([piece, { p, q }]) => [piece, ...p, q[3], q[0], q[1], q[2]]);
  }
}
