// What the site says, and what the hand says to the site.
import { MathUtils, Quaternion, type Vector3 } from "three";
import type { Seen } from "./glides";
import { PIECES, type Vec } from "./pieces";

export type Pose = { p: Vec; q: [number, number, number, number] };
/** piece, x, y, z, then the quaternion w, x, y, z. */
export type Placed = number[];
export type Finding = { code: string; met: boolean; pieces: number[]; words?: string };
export type Turn = {
  kind: string;
  pieces: number[];
  steps: number[][];
  step: number;
  grips: number[];
  placed: number[];
  how?: string;
  colour?: string;
};
export type Hello = {
  number: number;
  seat: number | null;
  phase: string;
  hook: number;
  may: boolean;
  pieces: Placed[];
  dead: number[];
  crane: number[] | null;
  skyscraper: boolean;
  top: number;
  turn: Turn | null;
  held: { piece: number; unit: number[]; by: number; mine: boolean } | null;
  tremor?: string;
  seconds: number | null;
  preview?: boolean;
  findings: Finding[];
};
/** Where everything is now. Whoever holds the hook may build, if something is built. */
export type Placing = {
  pieces: Placed[];
  top: number;
  turn: Turn | null;
  findings: Finding[];
  phase: string;
  hook: number;
};
export type Rest = Placing & { number: number; accident: boolean; back: number[] };
export type State = {
  tick: number;
  held: number | null;
  accident: boolean;
  quiet: boolean;
  borne: boolean;
  fading: boolean;
  other: boolean;
  lowering: boolean;
  gap: number;
  want: Vec;
  land: [number, number];
  touch: number[];
};
export type Heard = {
  /** Where everything is shown, asked before a hello puts it elsewhere. */
  before: () => Seen;
  /** before: null where nothing was known for a while. */
  hello: (m: Hello, before: Seen | null) => void;
  grip: (m: { piece: number; unit: number[]; by: number; pose: number[]; mine?: boolean }) => void;
  letgo: (m: object) => void;
  accident: (m: { kind: string; piece: number; on: number; words: string }) => void;
  rest: (m: Rest) => void;
  put: (m: Placing) => void;
  refused: (m: { code: string; sentence: string; to: string }) => void;
  stored_not: (m: { sentence: string }) => void;
  preview: (m: { pieces: Placed[]; falls: boolean }) => void;
  clock: (m: { seconds: number }) => void;
  time: (m: object) => void;
  frame: (s: Frame) => void;
  /** The way to the site is open, or lost; `final`: it will not be tried again. */
  line: (open: boolean, final: boolean, code: number) => void;
};

const TICK = 1000 / 60;

export function poseOf(numbers: readonly number[], at = 0): Pose {
  const n = (i: number): number => numbers[at + i] ?? 0;
  return { p: [n(0), n(1), n(2)], q: [n(4), n(5), n(6), n(3)] };
}

export type Frame = State & { ack: number; poses: [number, Pose][] };

/** A frame of the socket or of a film. */
export function readFrame(v: DataView, start = 0): Frame {
  const flags = v.getUint8(start + 9);
  const touched = v.getUint8(start + 23);
  const count = v.getUint8(start + 24);
  const touch: number[] = [];
  let o = start + 25;
  for (let i = 0; i < touched; i++) touch.push(v.getUint8(o++));
  const poses: [number, Pose][] = [];
  for (let i = 0; i < count; i++, o += 13) {
    const p: Vec = [
      v.getInt16(o + 1, true) / 50,
      v.getInt16(o + 3, true) / 50,
      v.getInt16(o + 5, true) / 50 + 400,
    ];
    const low = v.getUint32(o + 7, true);
    const high = v.getUint16(o + 11, true);
    const most = high >> 13;
    const three = [((high & 0x1fff) << 2) | (low >>> 30), (low >>> 15) & 0x7fff, low & 0x7fff];
    const q = [0, 0, 0, 0];
    let [j, sum] = [0, 0];
    for (let a = 0; a < 4; a++) {
      if (a === most) continue;
      const x = ((three[j++] ?? 0) / 32767 - 0.5) * Math.SQRT2;
      q[a] = x;
      sum += x * x;
    }
    q[most] = Math.sqrt(Math.max(0, 1 - sum));
    const [w = 1, x = 0, y = 0, z = 0] = q;
    poses.push([v.getUint8(o), { p, q: [x, y, z, w] }]);
  }
  const gap = v.getUint16(start + 11, true);
  const held = v.getUint8(start + 10);
  return {
    tick: v.getUint32(start + 1, true),
    ack: v.getUint32(start + 5, true),
    held: flags & 1 && held < PIECES ? held : null,
    accident: !!(flags & 2),
    quiet: !!(flags & 4),
    borne: !!(flags & 8),
    fading: !!(flags & 16),
    other: !!(flags & 32),
    lowering: !!(flags & 64),
    gap: gap === 65535 ? Infinity : gap / 50,
    want: [
      v.getInt16(start + 13, true) / 50,
      v.getInt16(start + 15, true) / 50,
      v.getInt16(start + 17, true) / 50 + 400,
    ],
    land: [v.getInt16(start + 19, true) / 50, v.getInt16(start + 21, true) / 50],
    touch,
    poses,
  };
}

type Known = Pose & { k: number };
const A = new Quaternion();
const B = new Quaternion();

/** Where every piece was lately, by tick; what is shown lies between two frames. */
export class History {
  private readonly known = new Map<number, Known[]>();
  private off: number | null = null;

  set(piece: number, pose: Pose): void {
    this.known.set(piece, [{ ...pose, k: -1 }]);
  }

  drop(piece: number): void {
    this.known.delete(piece);
  }

  clear(): void {
    this.known.clear();
    this.off = null;
  }

  push(piece: number, k: number, pose: Pose): void {
    const h = this.known.get(piece) ?? [];
    const last = h.at(-1);
    if (last && last.k >= k) h.length = 0; // the site's time begins anew
    else if (last && last.k >= 0 && k - last.k > 3) h.push({ ...last, k: k - 1 }); // it slept in between
    h.push({ ...pose, k });
    while (h.length > 8) h.shift();
    this.known.set(piece, h);
  }

  /** The server's clock, as the quickest frames tell it. */
  clock(k: number): void {
    const off = performance.now() - k * TICK;
    if (this.off === null || off < this.off || off - this.off > 1000) this.off = off;
    else this.off += (off - this.off) * 0.02;
  }

  last(piece: number): Pose | undefined {
    return this.known.get(piece)?.at(-1);
  }

  /** Where a piece is, `behind` ticks ago. False if nobody knows. */
  at(piece: number, place: Vector3, turn: Quaternion, behind: number): boolean {
    const h = this.known.get(piece);
    const newest = h?.at(-1);
    if (!h || !newest) return false;
    const k = this.off === null ? Infinity : (performance.now() - this.off) / TICK - behind;
    let b = h.length - 1;
    while (b > 0 && (h[b - 1]?.k ?? -1) > k) b--;
    const to = h[b] ?? newest;
    const from = h[Math.max(0, b - 1)] ?? to;
    const u = to.k === from.k || from.k < 0 ? 1 : MathUtils.clamp((k - from.k) / (to.k - from.k), 0, 1);
    place.set(
      MathUtils.lerp(from.p[0], to.p[0], u),
      MathUtils.lerp(from.p[1], to.p[1], u),
      MathUtils.lerp(from.p[2], to.p[2], u),
    );
    turn.copy(A.fromArray(from.q)).slerp(B.fromArray(to.q), u);
    return true;
  }
}

export class Wire {
  readonly history = new History();
  ack = 0;
  state: State | null = null;
  open = false;
  private socket: WebSocket | null = null;
  private seq = 0;
  private pause = 500;
  private ended = false;

  constructor(
    private readonly address: string,
    private readonly heard: Heard,
  ) {
    this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.pause = 500;
    };
    socket.onmessage = (event: MessageEvent) => {
      if (typeof event.data === "string") this.text(JSON.parse(event.data) as { t: keyof Heard });
      else this.frame(new DataView(event.data as ArrayBuffer));
    };
    socket.onclose = (event) => {
      const was = this.open;
      this.open = false;
      if (this.ended) return;
      // No site here, or not for us: that does not change by asking again.
      const final = event.code === 4404 || event.code === 4401;
      this.heard.line(false, final, event.code);
      if (final) return;
      const wait = event.code === 4503 ? 10_000 : this.pause * (0.7 + 0.6 * Math.random());
      this.pause = Math.min(was ? 500 : this.pause * 1.8, 15_000);
      setTimeout(() => !this.ended && this.connect(), wait);
    };
  }

  private text(m: { t: keyof Heard }): void {
    if (m.t === "hello") {
      const hello = m as unknown as Hello;
      const before = this.open ? this.heard.before() : null;
      this.open = true;
      this.ack = 0;
      this.history.clear();
      for (const numbers of hello.pieces) this.history.set(numbers[0] ?? 0, poseOf(numbers, 1));
      this.heard.line(true, false, 0);
      this.heard.hello(hello, before);
      return;
    }
    (this.heard[m.t] as ((m: unknown) => void) | undefined)?.(m);
  }

  private frame(v: DataView): void {
    const f = readFrame(v);
    this.history.clock(f.tick);
    for (const [piece, pose] of f.poses) this.history.push(piece, f.tick, pose);
    this.ack = f.ack;
    this.state = f;
    this.heard.frame(f);
  }

  /** Where the hand is to go; the number of this wish. */
  target(p: Vector3, q: Quaternion, lower: boolean): number {
    const b = new DataView(new ArrayBuffer(34));
    b.setUint8(0, 1);
    b.setUint32(1, ++this.seq, true);
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z].forEach((x, i) => b.setFloat32(5 + 4 * i, x, true));
    b.setUint8(33, lower ? 1 : 0);
    this.send(b.buffer);
    return this.seq;
  }

  grip(piece: number): void {
    this.send(new Uint8Array([2, piece]));
  }

  release(): void {
    this.send(new Uint8Array([3]));
  }

  cancel(): void {
    this.send(new Uint8Array([4]));
  }

  say(m: object): void {
    this.send(JSON.stringify(m));
  }

  private send(what: string | ArrayBuffer | Uint8Array<ArrayBuffer>): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(what);
  }

  close(): void {
    this.ended = true;
    this.socket?.close();
  }
}
