// What is known of the table: from the page, and from the site itself as long as its line is open.
import { PIECES } from "./pieces";
import { told, turnOf } from "./told";
import { type Finding, type Hello, type History, type Placing, poseOf, type Turn } from "./wire";
import type { Yard } from "./yard";

export class Known {
  page: ReturnType<typeof told>;
  turn: Turn | null = null;
  findings: Finding[] = [];
  /** Pieces that are lost in the box. */
  dead: number[] = [];
  /** The viewer holds the hook and may use it here. */
  may = false;
  phase = "";
  seat: number | null = null;
  /** How high the site is, mm. */
  top = 100;

  constructor(
    private readonly source: HTMLElement,
    private readonly yard: Yard,
    private readonly history: History,
  ) {
    this.page = told(source);
    this.yard.build(this.page.fixed);
  }

  /** The page has been told something new. live: all but the judge's opinion is told by the site. */
  read(live: boolean, holds: boolean): void {
    const before = JSON.stringify(this.page.fixed);
    this.page = told(this.source);
    if (before !== JSON.stringify(this.page.fixed)) this.yard.build(this.page.fixed);
    if (!live) {
      this.phase = this.page.phase;
      this.seat = this.page.seat;
      this.dead = this.page.dead;
      this.findings = this.page.findings;
      this.turn = turnOf(this.page);
      this.keep(this.page.pieces);
      for (const row of this.page.pieces) this.history.set(row[0] ?? 0, poseOf(row, 1));
    } else if (!holds) this.findings = this.page.findings;
  }

  hello(m: Hello): void {
    this.seat = m.seat;
    this.dead = m.dead;
    this.now(m);
    this.may = m.may;
  }

  /** All is at rest: where everything is, and what it is about. */
  settle(m: Placing): void {
    this.keep(m.pieces);
    for (const row of m.pieces) {
      if (this.history.last(row[0] ?? 0) === undefined) this.history.set(row[0] ?? 0, poseOf(row, 1));
    }
    this.now(m);
    this.may = m.hook === this.seat;
  }

  private now(m: Pick<Placing, "phase" | "turn" | "findings" | "top">): void {
    this.phase = m.phase;
    // Of a clean-up the page itself tells.
    this.turn = m.turn?.kind === "build" ? m.turn : null;
    this.findings = m.findings;
    this.top = m.top;
  }

  private keep(rows: number[][]): void {
    const there = new Set(rows.map((row) => row[0]));
    for (let piece = 0; piece < PIECES; piece++) if (!there.has(piece)) this.history.drop(piece);
  }

  /** What is not on the site lies beside it. all: the supply, too, and not only this turn's pieces. */
  layOut(all: boolean): void {
    const there = (piece: number): boolean => this.history.last(piece) !== undefined;
    const supply = [];
    for (let piece = 0; piece < PIECES; piece++) if (!there(piece) && !this.dead.includes(piece)) supply.push(piece);
    this.yard.layOut((this.turn?.steps ?? []).map((step) => step.filter((piece) => !there(piece))), supply, all);
  }

  /** What is cleaned up, or left: pieces that somebody has to decide on. */
  get duties(): number[] {
    return this.phase === "CLEANUP" && this.page.phase === "CLEANUP" ? this.page.duties : [];
  }

  nameOf(seat: number): string {
    return this.page.names[seat] ?? `Seat ${seat + 1}`;
  }
}
