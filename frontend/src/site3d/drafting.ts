// Laying out a starting site of one's own: from the page's button to the site's answer.
import { Draft } from "./draft";
import type { Follower, Hand } from "./hand";
import { make } from "./overlay";
import { nameOf } from "./pieces";
import type { Placed, State, Wire } from "./wire";
import type { Yard } from "./yard";

export class Drafting {
  private draft: Draft | null = null;
  private hand: Hand | null = null;
  private seq = 0;
  private sample: Placed[] = [];
  private readonly bar = make("div", { cls: "film3" });

  constructor(
    host: HTMLElement,
    private readonly yard: Yard,
    private readonly wire: Wire,
    private readonly heard: { say: (text: string) => void; holding: (mine: boolean) => void; changed: () => void },
  ) {
    this.bar.hidden = true;
    const build = make("button", { text: "Build it like this", cls: "lay3" });
    const leave = make("button", { text: "Leave it", cls: "lay3" });
    build.addEventListener("click", () => {
      if (this.draft && this.hand?.piece === null) this.wire.say({ t: "design", poses: this.draft.rows() });
    });
    leave.addEventListener("click", () => {
      this.hand?.drop();
      this.heard.holding(false);
      this.heard.say("");
      for (const row of this.sample) this.wire.history.drop(row[0] ?? 0);
      this.end();
    });
    this.bar.append(build, leave);
    host.append(this.bar);
  }

  get open(): boolean {
    return this.draft !== null;
  }

  get pieces(): number[] {
    return this.draft?.pieces ?? [];
  }

  get rows(): [number, ...number[]][] | null {
    return this.draft?.rows() ?? null;
  }

  state(piece: number): State | null {
    return this.draft?.state(piece) ?? null;
  }

  begin(sample: Placed[], hand: Hand): void {
    this.sample = sample;
    this.hand = hand;
    this.draft = new Draft(sample, this.yard, this.wire.history);
    this.bar.hidden = false;
    this.heard.say("Move the pieces as you like. They have to stand by themselves.");
    this.heard.changed();
  }

  end(): void {
    if (!this.draft) return;
    this.draft = null;
    this.bar.hidden = true;
    this.heard.changed();
  }

  /** The hand is followed by the site, or by what is being laid out. */
  follower(): Follower {
    const own = this;
    return {
      get ack() {
        return own.draft ? own.seq : own.wire.ack;
      },
      target(p, q, lower) {
        const piece = own.hand?.piece ?? null;
        if (!own.draft || piece === null) return own.wire.target(p, q, lower);
        own.draft.set(piece, { p: [p.x, p.y, p.z], q: [q.x, q.y, q.z, q.w] });
        if (lower) own.down();
        return ++own.seq;
      },
    };
  }

  /** A piece is taken into the hand, from where it stands. */
  take(piece: number): boolean {
    const pose = this.wire.history.last(piece);
    if (!this.draft || !pose || !this.hand) return false;
    this.hand.takeAt(piece, pose);
    this.hand.move(0, 0, 30);
    this.heard.holding(true);
    const name = nameOf(piece);
    this.heard.say(`${name.slice(0, 1).toUpperCase()}${name.slice(1)}: carry it, and let go.`);
    return true;
  }

  /** What is in the hand goes straight down onto what is below, and is let go. */
  release(): void {
    this.down();
    this.hand?.drop();
    this.heard.holding(false);
    this.heard.changed();
  }

  private down(): void {
    const h = this.hand;
    if (!this.draft || !h || h.piece === null) return;
    h.p.z -= this.draft.gap(h.piece);
    this.draft.set(h.piece, { p: [h.p.x, h.p.y, h.p.z], q: h.q.toArray() as [number, number, number, number] });
  }
}
