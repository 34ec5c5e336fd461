// A turn that is over, shown again from the poses that were kept of it; from any side, at any pace.
import { Quaternion, Vector3 } from "three";
import { poseOf, readFrame, type Pose } from "./wire";

export type Listed = { number: number; seat: number; at: number; seconds: number; accident: boolean };
type Shot = { t: number; poses: Map<number, Pose>; held: number | null; accident: boolean };

const A = new Quaternion();
const B = new Quaternion();

export class Film {
  private readonly shots: Shot[] = [];
  readonly pieces: number[];
  /** When something fell, in seconds from the beginning; null if nothing did. */
  crash: number | null = null;

  constructor(before: [number, Pose][]) {
    this.shots.push({ t: 0, poses: new Map(before), held: null, accident: false });
    this.pieces = before.map(([piece]) => piece);
  }

  add(t: number, poses: [number, Pose][], held: number | null, accident: boolean): void {
    const last = this.shots.at(-1);
    const all = new Map(last?.poses);
    for (const [piece, pose] of poses) {
      all.set(piece, pose);
      if (!this.pieces.includes(piece)) this.pieces.push(piece);
    }
    if (accident && this.crash === null) this.crash = t;
    this.shots.push({ t, poses: all, held, accident });
  }

  get seconds(): number {
    return this.shots.at(-1)?.t ?? 0;
  }

  held(t: number): number | null {
    return this.around(t)[1].held;
  }

  private around(t: number): [Shot, Shot] {
    let b = 1;
    while (b < this.shots.length - 1 && (this.shots[b]?.t ?? 0) < t) b++;
    const to = this.shots[Math.min(b, this.shots.length - 1)] as Shot;
    return [this.shots[Math.max(0, b - 1)] ?? to, to];
  }

  at(piece: number, t: number, place: Vector3, turn: Quaternion): boolean {
    const [from, to] = this.around(t);
    const b = to.poses.get(piece);
    const a = from.poses.get(piece) ?? b;
    if (!a || !b || (!from.poses.has(piece) && t < to.t - 1e-6)) return false;
    const u = to.t > from.t ? Math.min(1, Math.max(0, (t - from.t) / (to.t - from.t))) : 1;
    place.set(a.p[0] + (b.p[0] - a.p[0]) * u, a.p[1] + (b.p[1] - a.p[1]) * u, a.p[2] + (b.p[2] - a.p[2]) * u);
    turn.copy(A.fromArray(a.q)).slerp(B.fromArray(b.q), u);
    return true;
  }
}

/** The turns of a table that can be shown again; none where the site keeps none. */
export async function listed(path: string): Promise<Listed[]> {
  const answer = await fetch(`${path}/site/turns`, { headers: { accept: "application/json" } });
  return answer.ok ? ((await answer.json()) as Listed[]) : [];
}

export async function film(path: string, number: number): Promise<Film> {
  const answer = await fetch(`${path}/site/turns/${number}`);
  if (!answer.ok) throw new Error("this turn was not kept");
  const data = new DataView(await answer.arrayBuffer());
  const rate = data.getUint16(0, true);
  const size = data.getUint32(2, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data.buffer, 6, size))) as { pieces: number[][] };
  const found = new Film(header.pieces.map((row) => [row[0] ?? 0, poseOf(row, 1)]));
  let o = 6 + size;
  let first: number | null = null;
  while (o + 2 <= data.byteLength) {
    const length = data.getUint16(o, true);
    const frame = readFrame(data, o + 2);
    first ??= frame.tick;
    // Ticks of the site are sixtieths of a second; `rate` says how many of the records make one.
    const t = (frame.tick - first) / 60 + 1 / rate;
    found.add(t, frame.poses, frame.held, frame.accident);
    o += 2 + length;
  }
  return found;
}
